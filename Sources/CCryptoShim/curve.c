#define MBEDTLS_ALLOW_PRIVATE_ACCESS   // 3.x only: fields of ecp_group and ecp_point
#include "ccryptoshim.h"
#include <mbedtls/bignum.h>
#include <mbedtls/ecp.h>
#include <stdlib.h>
#include <sys/random.h>

struct ccrypto_curve {
    mbedtls_ecp_group group;
    mbedtls_mpi inverse_exponent, legendre_exponent, root_exponent;
    size_t n;
};

// mbedTLS blinds its multiplications with this; their results do not depend on it.
static int kernel_random(void *context, unsigned char *out, size_t len) {
    (void)context;
    while (len > 0) {
        ssize_t got = getrandom(out, len < 256 ? len : 256, 0);
        if (got <= 0) { return MBEDTLS_ERR_ECP_RANDOM_FAILED; }
        out += got;
        len -= (size_t)got;
    }
    return 0;
}

// Both primes are 3 modulo 4, so a root of a square is its (p+1)/4-th power.
static int exponents_init(struct ccrypto_curve *self) {
    int code = mbedtls_mpi_sub_int(&self->inverse_exponent, &self->group.P, 2);
    if (code == 0) { code = mbedtls_mpi_copy(&self->legendre_exponent, &self->group.P); }
    if (code == 0) { code = mbedtls_mpi_shift_r(&self->legendre_exponent, 1); }
    if (code == 0) { code = mbedtls_mpi_add_int(&self->root_exponent, &self->group.P, 1); }
    if (code == 0) { code = mbedtls_mpi_shift_r(&self->root_exponent, 2); }
    return code;
}

struct ccrypto_curve *ccrypto_curve_new(int bits) {
    struct ccrypto_curve *self = calloc(1, sizeof *self);
    if (!self) { return NULL; }
    mbedtls_ecp_group_init(&self->group);
    mbedtls_mpi_init(&self->inverse_exponent);
    mbedtls_mpi_init(&self->legendre_exponent);
    mbedtls_mpi_init(&self->root_exponent);
    self->n = bits == 384 ? 48 : 32;
    mbedtls_ecp_group_id id = bits == 384 ? MBEDTLS_ECP_DP_SECP384R1 : MBEDTLS_ECP_DP_SECP256R1;
    if (mbedtls_ecp_group_load(&self->group, id) != 0 || exponents_init(self) != 0) {
        ccrypto_curve_free(self);
        return NULL;
    }
    return self;
}

void ccrypto_curve_free(struct ccrypto_curve *self) {
    if (!self) { return; }
    mbedtls_ecp_group_free(&self->group);
    mbedtls_mpi_free(&self->inverse_exponent);
    mbedtls_mpi_free(&self->legendre_exponent);
    mbedtls_mpi_free(&self->root_exponent);
    free(self);
}

// mbedtls_mpi_free and mbedtls_ecp_point_free wipe what they free.

static int point_read(struct ccrypto_curve *self, mbedtls_ecp_point *point, const uint8_t *octets) {
    int code = mbedtls_mpi_read_binary(&point->X, octets, self->n);
    if (code == 0) { code = mbedtls_mpi_read_binary(&point->Y, octets + self->n, self->n); }
    if (code == 0) { code = mbedtls_mpi_lset(&point->Z, 1); }
    return code;
}

static int point_write(struct ccrypto_curve *self, const mbedtls_ecp_point *point, uint8_t *out) {
    if (mbedtls_ecp_is_zero((mbedtls_ecp_point *)point)) { return MBEDTLS_ERR_ECP_INVALID_KEY; }
    int code = mbedtls_mpi_write_binary(&point->X, out, self->n);
    if (code == 0) { code = mbedtls_mpi_write_binary(&point->Y, out + self->n, self->n); }
    return code;
}

int ccrypto_curve_multiply_base(struct ccrypto_curve *self, const uint8_t *scalar, uint8_t *out) {
    mbedtls_mpi m;
    mbedtls_ecp_point result;
    mbedtls_mpi_init(&m);
    mbedtls_ecp_point_init(&result);
    int code = mbedtls_mpi_read_binary(&m, scalar, self->n);
    if (code == 0) { code = mbedtls_ecp_mul(&self->group, &result, &m, &self->group.G, kernel_random, NULL); }
    if (code == 0) { code = point_write(self, &result, out); }
    mbedtls_ecp_point_free(&result);
    mbedtls_mpi_free(&m);
    return code;
}

int ccrypto_curve_multiply(struct ccrypto_curve *self, const uint8_t *scalar, const uint8_t *point, uint8_t *out) {
    mbedtls_mpi m;
    mbedtls_ecp_point p, result;
    mbedtls_mpi_init(&m);
    mbedtls_ecp_point_init(&p);
    mbedtls_ecp_point_init(&result);
    int code = mbedtls_mpi_read_binary(&m, scalar, self->n);
    if (code == 0) { code = point_read(self, &p, point); }
    // On 3.x mbedtls_ecp_mul checks too; 2.28 documents that it does, and this is not the place to depend on it.
    if (code == 0) { code = mbedtls_ecp_check_pubkey(&self->group, &p); }
    if (code == 0) { code = mbedtls_ecp_mul(&self->group, &result, &m, &p, kernel_random, NULL); }
    if (code == 0) { code = point_write(self, &result, out); }
    mbedtls_ecp_point_free(&result);
    mbedtls_ecp_point_free(&p);
    mbedtls_mpi_free(&m);
    return code;
}

int ccrypto_curve_add(struct ccrypto_curve *self, const uint8_t *left, const uint8_t *right, uint8_t *out) {
    mbedtls_mpi one;
    mbedtls_ecp_point p, q, result;
    mbedtls_mpi_init(&one);
    mbedtls_ecp_point_init(&p);
    mbedtls_ecp_point_init(&q);
    mbedtls_ecp_point_init(&result);
    int code = mbedtls_mpi_lset(&one, 1);
    if (code == 0) { code = point_read(self, &p, left); }
    if (code == 0) { code = point_read(self, &q, right); }
    if (code == 0) { code = mbedtls_ecp_muladd(&self->group, &result, &one, &p, &one, &q); }
    if (code == 0) { code = point_write(self, &result, out); }
    mbedtls_ecp_point_free(&result);
    mbedtls_ecp_point_free(&q);
    mbedtls_ecp_point_free(&p);
    mbedtls_mpi_free(&one);
    return code;
}

int ccrypto_curve_negate(struct ccrypto_curve *self, const uint8_t *point, uint8_t *out) {
    for (size_t i = 0; i < self->n; i++) { out[i] = point[i]; }
    return ccrypto_field_negate(self, point + self->n, out + self->n);
}

int ccrypto_curve_check(struct ccrypto_curve *self, const uint8_t *point) {
    mbedtls_ecp_point p;
    mbedtls_ecp_point_init(&p);
    int code = point_read(self, &p, point);
    if (code == 0) { code = mbedtls_ecp_check_pubkey(&self->group, &p); }
    mbedtls_ecp_point_free(&p);
    return code;
}

int ccrypto_curve_decompress(struct ccrypto_curve *self, int sign, const uint8_t *x, uint8_t *out) {
    // y² = x³ - 3x + b = x(x² - 3) + b; x and y are public here.
    mbedtls_mpi X, y;
    mbedtls_mpi_init(&X);
    mbedtls_mpi_init(&y);
    int code = mbedtls_mpi_read_binary(&X, x, self->n);
    if (code == 0 && mbedtls_mpi_cmp_mpi(&X, &self->group.P) >= 0) { code = MBEDTLS_ERR_ECP_INVALID_KEY; }
    if (code == 0) { code = mbedtls_mpi_mul_mpi(&y, &X, &X); }
    if (code == 0) { code = mbedtls_mpi_sub_int(&y, &y, 3); }
    if (code == 0) { code = mbedtls_mpi_mul_mpi(&y, &y, &X); }
    if (code == 0) { code = mbedtls_mpi_add_mpi(&y, &y, &self->group.B); }
    if (code == 0) { code = mbedtls_mpi_mod_mpi(&y, &y, &self->group.P); }
    if (code == 0) { code = mbedtls_mpi_exp_mod(&y, &y, &self->root_exponent, &self->group.P, NULL); }
    if (code == 0 && mbedtls_mpi_get_bit(&y, 0) != (sign & 1)) {
        code = mbedtls_mpi_sub_mpi(&y, &self->group.P, &y);
    }
    if (code == 0) { code = mbedtls_mpi_write_binary(&X, out, self->n); }
    if (code == 0) { code = mbedtls_mpi_write_binary(&y, out + self->n, self->n); }
    mbedtls_mpi_free(&y);
    mbedtls_mpi_free(&X);
    // Where x³ - 3x + b is no square, the "root" fails this.
    return code == 0 ? ccrypto_curve_check(self, out) : code;
}

typedef int (*binary)(mbedtls_mpi *, const mbedtls_mpi *, const mbedtls_mpi *);

static int combine(struct ccrypto_curve *self, binary operation, const mbedtls_mpi *modulus,
                   const uint8_t *left, const uint8_t *right, uint8_t *out) {
    mbedtls_mpi a, b;
    mbedtls_mpi_init(&a);
    mbedtls_mpi_init(&b);
    int code = mbedtls_mpi_read_binary(&a, left, self->n);
    if (code == 0) { code = mbedtls_mpi_read_binary(&b, right, self->n); }
    if (code == 0) { code = operation(&a, &a, &b); }
    if (code == 0) { code = mbedtls_mpi_mod_mpi(&a, &a, modulus); }
    if (code == 0) { code = mbedtls_mpi_write_binary(&a, out, self->n); }
    mbedtls_mpi_free(&b);
    mbedtls_mpi_free(&a);
    return code;
}

int ccrypto_scalar_add(struct ccrypto_curve *self, const uint8_t *left, const uint8_t *right, uint8_t *out) {
    return combine(self, mbedtls_mpi_add_mpi, &self->group.N, left, right, out);
}

int ccrypto_field_add(struct ccrypto_curve *self, const uint8_t *left, const uint8_t *right, uint8_t *out) {
    return combine(self, mbedtls_mpi_add_mpi, &self->group.P, left, right, out);
}

int ccrypto_field_multiply(struct ccrypto_curve *self, const uint8_t *left, const uint8_t *right, uint8_t *out) {
    return combine(self, mbedtls_mpi_mul_mpi, &self->group.P, left, right, out);
}

static int reduce(struct ccrypto_curve *self, const uint8_t *number, size_t len, int offset,
                  const mbedtls_mpi *modulus, uint8_t *out) {
    mbedtls_mpi value, m;
    mbedtls_mpi_init(&value);
    mbedtls_mpi_init(&m);
    int code = mbedtls_mpi_read_binary(&value, number, len);
    if (code == 0) { code = mbedtls_mpi_sub_int(&m, modulus, offset); }
    if (code == 0) { code = mbedtls_mpi_mod_mpi(&value, &value, &m); }
    if (code == 0) { code = mbedtls_mpi_add_int(&value, &value, offset); }
    if (code == 0) { code = mbedtls_mpi_write_binary(&value, out, self->n); }
    mbedtls_mpi_free(&m);
    mbedtls_mpi_free(&value);
    return code;
}

int ccrypto_scalar_reduce_nonzero(struct ccrypto_curve *self, const uint8_t *number, size_t len, uint8_t *out) {
    return reduce(self, number, len, 1, &self->group.N, out);
}

int ccrypto_field_reduce(struct ccrypto_curve *self, const uint8_t *number, size_t len, uint8_t *out) {
    return reduce(self, number, len, 0, &self->group.P, out);
}

int ccrypto_field_negate(struct ccrypto_curve *self, const uint8_t *element, uint8_t *out) {
    mbedtls_mpi a;
    mbedtls_mpi_init(&a);
    int code = mbedtls_mpi_read_binary(&a, element, self->n);
    if (code == 0) { code = mbedtls_mpi_sub_mpi(&a, &self->group.P, &a); }
    // p - 0 is p itself.
    if (code == 0) { code = mbedtls_mpi_mod_mpi(&a, &a, &self->group.P); }
    if (code == 0) { code = mbedtls_mpi_write_binary(&a, out, self->n); }
    mbedtls_mpi_free(&a);
    return code;
}

static int power(struct ccrypto_curve *self, const mbedtls_mpi *exponent, const uint8_t *element, uint8_t *out) {
    mbedtls_mpi a;
    mbedtls_mpi_init(&a);
    int code = mbedtls_mpi_read_binary(&a, element, self->n);
    if (code == 0) { code = mbedtls_mpi_exp_mod(&a, &a, exponent, &self->group.P, NULL); }
    if (code == 0) { code = mbedtls_mpi_write_binary(&a, out, self->n); }
    mbedtls_mpi_free(&a);
    return code;
}

int ccrypto_field_inverse(struct ccrypto_curve *self, const uint8_t *element, uint8_t *out) {
    return power(self, &self->inverse_exponent, element, out);
}

int ccrypto_field_legendre(struct ccrypto_curve *self, const uint8_t *element, uint8_t *out) {
    return power(self, &self->legendre_exponent, element, out);
}

int ccrypto_field_square_root(struct ccrypto_curve *self, const uint8_t *element, uint8_t *out) {
    return power(self, &self->root_exponent, element, out);
}

int ccrypto_field_b(struct ccrypto_curve *self, uint8_t *out) {
    return mbedtls_mpi_write_binary(&self->group.B, out, self->n);
}
