#include "ccryptoshim.h"
#include <mbedtls/constant_time.h>
#include <mbedtls/hkdf.h>
#include <mbedtls/md.h>
#include <mbedtls/pkcs5.h>
#include <mbedtls/platform_util.h>
#include <mbedtls/version.h>
#include <string.h>

static mbedtls_md_type_t type_of(int bits) { return bits == 384 ? MBEDTLS_MD_SHA384 : MBEDTLS_MD_SHA256; }

int ccrypto_hash(int bits, const uint8_t *data, size_t len, uint8_t *out) {
    return mbedtls_md(mbedtls_md_info_from_type(type_of(bits)), data, len, out);
}

int ccrypto_hmac(int bits, const uint8_t *key, size_t key_len, const uint8_t *data, size_t len, uint8_t *out) {
    return mbedtls_md_hmac(mbedtls_md_info_from_type(type_of(bits)), key, key_len, data, len, out);
}

int ccrypto_hkdf_extract(int bits, const uint8_t *salt, size_t salt_len, const uint8_t *ikm, size_t len, uint8_t *out) {
    return mbedtls_hkdf_extract(mbedtls_md_info_from_type(type_of(bits)), salt, salt_len, ikm, len, out);
}

int ccrypto_hkdf_expand(int bits, const uint8_t *prk, size_t prk_len, const uint8_t *info, size_t info_len,
                        uint8_t *out, size_t out_len) {
    return mbedtls_hkdf_expand(mbedtls_md_info_from_type(type_of(bits)), prk, prk_len, info, info_len, out, out_len);
}

int ccrypto_pbkdf2(int bits, const uint8_t *password, size_t password_len, const uint8_t *salt, size_t salt_len,
                   unsigned int iterations, uint8_t *out, size_t out_len) {
#if MBEDTLS_VERSION_NUMBER >= 0x03030000
    return mbedtls_pkcs5_pbkdf2_hmac_ext(type_of(bits), password, password_len, salt, salt_len, iterations,
                                         (uint32_t)out_len, out);
#else
    mbedtls_md_context_t context;
    mbedtls_md_init(&context);
    int code = mbedtls_md_setup(&context, mbedtls_md_info_from_type(type_of(bits)), 1);
    if (code == 0) {
        code = mbedtls_pkcs5_pbkdf2_hmac(&context, password, password_len, salt, salt_len, iterations,
                                         (uint32_t)out_len, out);
    }
    mbedtls_md_free(&context);
    return code;
#endif
}

void ccrypto_select(uint8_t bit, const uint8_t *left, const uint8_t *right, size_t n, uint8_t *out) {
    // Volatile, so that no compiler recognises a selection and makes it a jump.
    volatile uint8_t mask = (uint8_t)(0 - (bit & 1));
    for (size_t i = 0; i < n; i++) { out[i] = (uint8_t)((left[i] & mask) | (right[i] & (uint8_t)~mask)); }
}

uint8_t ccrypto_is_zero(const uint8_t *octets, size_t n) {
    volatile uint32_t all = 0;
    for (size_t i = 0; i < n; i++) { all |= octets[i]; }
    return (uint8_t)(((all - 1) >> 8) & 1);
}

bool ccrypto_equal(const void *left, const void *right, size_t n) { return mbedtls_ct_memcmp(left, right, n) == 0; }

bool ccrypto_equal_leaky(const void *left, const void *right, size_t n) { return memcmp(left, right, n) == 0; }

void ccrypto_zero(void *p, size_t n) { mbedtls_platform_zeroize(p, n); }
