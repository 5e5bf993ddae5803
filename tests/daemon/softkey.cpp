// SPDX-License-Identifier: GPL-3.0-or-later
// A security key made of software, as OpenSSH loads one (SecurityKeyProvider). It needs no header: the interface is
// small, and its functions of libcrypto are those that ssh itself has loaded.
//
// What happens to it is files in the folder TRAINYARD_TEST_KEY:
//   absent   it is not plugged in
//   pin      the PIN of keys that want one
//   touches  a byte for each touch that it still gets; without one it waits
//   counter  a byte for each signature that it has made
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

namespace
{

constexpr uint32_t apiVersion = 0x000a0000; // OpenSSH 8.9 and newer
constexpr uint32_t algorithmEd25519 = 1;
constexpr uint8_t userPresence = 0x01, userVerification = 0x04;
constexpr int failed = -1, unsupported = -2, wantsPin = -3, notThere = -4;
constexpr int nidEd25519 = 1087; // of libcrypto
constexpr size_t seedSize = 32, publicSize = 32, signatureSize = 64, digestSize = 32;
constexpr int patienceMs = 30'000, pollMs = 20; // a real one waits as long for a touch

struct Crypto {
    void *(*keyOfSeed)(int type, void *engine, const unsigned char *seed, size_t size);
    int (*publicKey)(const void *key, unsigned char *bytes, size_t *size);
    void (*freeKey)(void *key);
    void *(*newContext)();
    void (*freeContext)(void *context);
    int (*beginSignature)(void *context, void **, const void *digest, void *engine, void *key);
    int (*sign)(void *context, unsigned char *signature, size_t *size, const unsigned char *bytes, size_t length);
    unsigned char *(*sha256)(const unsigned char *bytes, size_t length, unsigned char *digest);
};

template <typename Function> bool find(void *library, const char *name, Function &function)
{
    void *const found = dlsym(library, name);
    memcpy(&function, &found, sizeof found);
    return found != nullptr;
}

bool load(Crypto &crypto)
{
    void *library = nullptr;
    for (const char *name : {"libcrypto.so.3", "libcrypto.so.1.1"}) {
        library = library ? library : dlopen(name, RTLD_NOW);
    }
    return library && find(library, "EVP_PKEY_new_raw_private_key", crypto.keyOfSeed)
        && find(library, "EVP_PKEY_get_raw_public_key", crypto.publicKey)
        && find(library, "EVP_PKEY_free", crypto.freeKey) && find(library, "EVP_MD_CTX_new", crypto.newContext)
        && find(library, "EVP_MD_CTX_free", crypto.freeContext)
        && find(library, "EVP_DigestSignInit", crypto.beginSignature) && find(library, "EVP_DigestSign", crypto.sign)
        && find(library, "SHA256", crypto.sha256);
}

void pathOf(const char *name, char (&path)[4096])
{
    const char *folder = getenv("TRAINYARD_TEST_KEY");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/nonexistent", name);
}

long sizeOf(const char *name) // -1: it is not there
{
    char path[4096];
    pathOf(name, path);
    struct stat status {
    };
    return stat(path, &status) == 0 ? long(status.st_size) : -1;
}

bool isPin(const char *pin)
{
    char path[4096], known[64] = {};
    pathOf("pin", path);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file < 0 ? -1 : read(file, known, sizeof known - 1);
    if (file >= 0) {
        close(file);
    }
    return length > 0 && strcmp(known, pin) == 0;
}

bool isTouched()
{
    char path[4096];
    pathOf("touches", path);
    for (int waited = 0; waited < patienceMs; waited += pollMs) {
        if (const long touches = sizeOf("touches"); touches > 0) {
            return truncate(path, touches - 1) == 0;
        }
        const timespec pause{0, pollMs * 1'000'000L};
        nanosleep(&pause, nullptr);
    }
    return false;
}

uint32_t countOne()
{
    char path[4096];
    pathOf("counter", path);
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || write(file, "x", 1) != 1) {
        return 0;
    }
    close(file);
    return uint32_t(sizeOf("counter"));
}

uint8_t *copyOf(const void *bytes, size_t size)
{
    void *copy = malloc(size);
    return copy ? static_cast<uint8_t *>(memcpy(copy, bytes, size)) : nullptr;
}

} // namespace

// As the interface has them.
struct sk_option;
struct sk_resident_key;
struct sk_enroll_response {
    uint8_t flags;
    uint8_t *public_key;
    size_t public_key_len;
    uint8_t *key_handle;
    size_t key_handle_len;
    uint8_t *signature;
    size_t signature_len;
    uint8_t *attestation_cert;
    size_t attestation_cert_len;
    uint8_t *authdata;
    size_t authdata_len;
};
struct sk_sign_response {
    uint8_t flags;
    uint32_t counter;
    uint8_t *sig_r;
    size_t sig_r_len;
    uint8_t *sig_s;
    size_t sig_s_len;
};

extern "C" {

__attribute__((visibility("default"))) uint32_t sk_api_version() { return apiVersion; }

__attribute__((visibility("default"))) int sk_enroll(uint32_t algorithm, const uint8_t *, size_t, const char *,
    uint8_t flags, const char *, sk_option **, sk_enroll_response **response)
{
    Crypto crypto{};
    if (algorithm != algorithmEd25519) {
        return unsupported;
    }
    if (sizeOf("absent") >= 0) {
        return notThere;
    }
    unsigned char seed[seedSize], key[publicSize];
    size_t size = sizeof key;
    if (!load(crypto) || getrandom(seed, sizeof seed, 0) != ssize_t(sizeof seed)) {
        return failed;
    }
    void *pair = crypto.keyOfSeed(nidEd25519, nullptr, seed, sizeof seed);
    const bool isMade = pair && crypto.publicKey(pair, key, &size) == 1;
    crypto.freeKey(pair);
    auto *made = static_cast<sk_enroll_response *>(calloc(1, sizeof(sk_enroll_response)));
    if (!isMade || !made) {
        return failed;
    }
    made->flags = flags;
    made->public_key = copyOf(key, sizeof key);
    made->public_key_len = sizeof key;
    made->key_handle = copyOf(seed, sizeof seed); // this one keeps no secrets
    made->key_handle_len = sizeof seed;
    *response = made;
    return 0;
}

__attribute__((visibility("default"))) int sk_sign(uint32_t algorithm, const uint8_t *data, size_t length,
    const char *application, const uint8_t *handle, size_t handleLength, uint8_t flags, const char *pin, sk_option **,
    sk_sign_response **response)
{
    Crypto crypto{};
    if (algorithm != algorithmEd25519 || handleLength != seedSize || !load(crypto)) {
        return unsupported;
    }
    if (sizeOf("absent") >= 0) {
        return notThere;
    }
    const bool verifies = (flags & userVerification) != 0;
    if (verifies && (!pin || !isPin(pin))) {
        return wantsPin;
    }
    if ((flags & userPresence) != 0 && !isTouched()) {
        return failed;
    }
    const uint32_t counter = countOne();
    const uint8_t said = uint8_t(flags & (userPresence | userVerification));
    // The name of what the key is for, what the person did, the counter and what is signed.
    unsigned char bytes[digestSize + 5 + digestSize];
    crypto.sha256(reinterpret_cast<const unsigned char *>(application), strlen(application), bytes);
    bytes[digestSize] = said;
    for (int i = 0; i < 4; ++i) {
        bytes[digestSize + 1 + i] = uint8_t(counter >> (24 - 8 * i));
    }
    crypto.sha256(data, length, bytes + digestSize + 5);
    unsigned char signature[signatureSize];
    size_t size = sizeof signature;
    void *pair = crypto.keyOfSeed(nidEd25519, nullptr, handle, handleLength);
    void *context = crypto.newContext();
    const bool isSigned = pair && context && crypto.beginSignature(context, nullptr, nullptr, nullptr, pair) == 1
        && crypto.sign(context, signature, &size, bytes, sizeof bytes) == 1;
    crypto.freeContext(context);
    crypto.freeKey(pair);
    auto *made = static_cast<sk_sign_response *>(calloc(1, sizeof(sk_sign_response)));
    if (!isSigned || !made) {
        return failed;
    }
    made->flags = said;
    made->counter = counter;
    made->sig_r = copyOf(signature, size);
    made->sig_r_len = size;
    *response = made;
    return 0;
}

__attribute__((visibility("default"))) int sk_load_resident_keys(
    const char *, sk_option **, sk_resident_key ***, size_t *)
{
    return unsupported;
}
}
