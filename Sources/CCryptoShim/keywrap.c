// AES key wrap over the block cipher: mbedTLS 2.28 as Debian builds it has no NIST_KW.
#include "ccryptoshim.h"
#include <mbedtls/aes.h>
#include <mbedtls/cipher.h>
#include <mbedtls/platform_util.h>
#include <string.h>

static const uint8_t initial_value[8] = {0xA6, 0xA6, 0xA6, 0xA6, 0xA6, 0xA6, 0xA6, 0xA6};

static void mix_counter(uint8_t a[8], uint64_t t) {
    for (int i = 0; i < 8; i++) { a[i] ^= (uint8_t)(t >> (56 - 8 * i)); }
}

int ccrypto_aes_wrap(const uint8_t *kek, size_t kek_len, const uint8_t *in, size_t len, uint8_t *out) {
    if (len < 16 || len % 8 != 0) { return MBEDTLS_ERR_CIPHER_BAD_INPUT_DATA; }
    mbedtls_aes_context aes;
    mbedtls_aes_init(&aes);
    uint8_t block[16];
    size_t n = len / 8;
    int code = mbedtls_aes_setkey_enc(&aes, kek, (unsigned int)kek_len * 8);
    memcpy(block, initial_value, 8);
    memmove(out + 8, in, len);
    for (uint64_t j = 0; code == 0 && j < 6; j++) {
        for (size_t i = 1; code == 0 && i <= n; i++) {
            memcpy(block + 8, out + 8 * i, 8);
            code = mbedtls_aes_crypt_ecb(&aes, MBEDTLS_AES_ENCRYPT, block, block);
            mix_counter(block, n * j + i);
            memcpy(out + 8 * i, block + 8, 8);
        }
    }
    memcpy(out, block, 8);
    if (code != 0) { mbedtls_platform_zeroize(out, len + 8); }
    mbedtls_platform_zeroize(block, sizeof block);
    mbedtls_aes_free(&aes);
    return code;
}

int ccrypto_aes_unwrap(const uint8_t *kek, size_t kek_len, const uint8_t *in, size_t len, uint8_t *out) {
    if (len < 24 || len % 8 != 0) { return MBEDTLS_ERR_CIPHER_BAD_INPUT_DATA; }
    mbedtls_aes_context aes;
    mbedtls_aes_init(&aes);
    uint8_t block[16];
    size_t n = len / 8 - 1;
    int code = mbedtls_aes_setkey_dec(&aes, kek, (unsigned int)kek_len * 8);
    memcpy(block, in, 8);
    memmove(out, in + 8, 8 * n);
    for (uint64_t j = 6; code == 0 && j-- > 0;) {
        for (size_t i = n; code == 0 && i >= 1; i--) {
            mix_counter(block, n * j + i);
            memcpy(block + 8, out + 8 * (i - 1), 8);
            code = mbedtls_aes_crypt_ecb(&aes, MBEDTLS_AES_DECRYPT, block, block);
            memcpy(out + 8 * (i - 1), block + 8, 8);
        }
    }
    if (code == 0 && !ccrypto_equal(block, initial_value, 8)) { code = MBEDTLS_ERR_CIPHER_AUTH_FAILED; }
    if (code != 0) { mbedtls_platform_zeroize(out, 8 * n); }
    mbedtls_platform_zeroize(block, sizeof block);
    mbedtls_aes_free(&aes);
    return code;
}
