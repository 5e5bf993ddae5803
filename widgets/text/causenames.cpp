// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/causenames.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace trainyard
{

namespace
{

struct CauseName {
    const char *cause; // of resources/failure-causes.json, or one of the engine's own; in the order of the alphabet
    const char *words;
};

constexpr CauseName causeNames[] = {
    {"abi-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Packages do not fit")},
    {"abort", QT_TRANSLATE_NOOP("CauseNames", "Aborted")},
    {"argument-list", QT_TRANSLATE_NOOP("CauseNames", "Argument list too long")},
    {"arithmetic-fault", QT_TRANSLATE_NOOP("CauseNames", "Arithmetic fault")},
    {"assertion-failed", QT_TRANSLATE_NOOP("CauseNames", "Assertion failed")},
    {"bad-arguments", QT_TRANSLATE_NOOP("CauseNames", "Wrong arguments")},
    {"broken-pipe", QT_TRANSLATE_NOOP("CauseNames", "Broken pipe")},
    {"build-failed", QT_TRANSLATE_NOOP("CauseNames", "Build failed")},
    {"bus-error", QT_TRANSLATE_NOOP("CauseNames", "Bus error")},
    {"cancelled", QT_TRANSLATE_NOOP("CauseNames", "Cancelled")},
    {"checkpoint-corrupt", QT_TRANSLATE_NOOP("CauseNames", "Checkpoint damaged")},
    {"checkpoint-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Checkpoint mismatch")},
    {"checkpoint-objects", QT_TRANSLATE_NOOP("CauseNames", "Checkpoint with objects")},
    {"command-missing", QT_TRANSLATE_NOOP("CauseNames", "Command not found")},
    {"conda-environment", QT_TRANSLATE_NOOP("CauseNames", "No such conda environment")},
    {"conda-not-initialised", QT_TRANSLATE_NOOP("CauseNames", "conda not initialised")},
    {"config-error", QT_TRANSLATE_NOOP("CauseNames", "Configuration error")},
    {"connection-closed", QT_TRANSLATE_NOOP("CauseNames", "Connection closed")},
    {"connection-refused", QT_TRANSLATE_NOOP("CauseNames", "Connection refused")},
    {"connection-timeout", QT_TRANSLATE_NOOP("CauseNames", "Connection timeout")},
    {"container-gpu", QT_TRANSLATE_NOOP("CauseNames", "No GPU in container")},
    {"container-mount", QT_TRANSLATE_NOOP("CauseNames", "Mount failed")},
    {"container-name", QT_TRANSLATE_NOOP("CauseNames", "Container name in use")},
    {"cpu-time-limit", QT_TRANSLATE_NOOP("CauseNames", "CPU time limit")},
    {"crlf", QT_TRANSLATE_NOOP("CauseNames", "Windows line endings")},
    {"cuda-fork", QT_TRANSLATE_NOOP("CauseNames", "CUDA after a fork")},
    {"cuda-setup", QT_TRANSLATE_NOOP("CauseNames", "CUDA not set up")},
    {"cuda-toolkit", QT_TRANSLATE_NOOP("CauseNames", "CUDA toolkit")},
    {"cudnn-mismatch", QT_TRANSLATE_NOOP("CauseNames", "cuDNN mismatch")},
    {"data-corrupt", QT_TRANSLATE_NOOP("CauseNames", "Data damaged")},
    {"data-format", QT_TRANSLATE_NOOP("CauseNames", "Data format")},
    {"data-not-finite", QT_TRANSLATE_NOOP("CauseNames", "NaN in the data")},
    {"device-assert", QT_TRANSLATE_NOOP("CauseNames", "Index out of range on GPU")},
    {"device-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Device mismatch")},
    {"disk-full", QT_TRANSLATE_NOOP("CauseNames", "Disk full")},
    {"diverged", QT_TRANSLATE_NOOP("CauseNames", "Training diverged")},
    {"dns", QT_TRANSLATE_NOOP("CauseNames", "Name not resolved")},
    {"docker-daemon", QT_TRANSLATE_NOOP("CauseNames", "Docker not running")},
    {"docker-permission", QT_TRANSLATE_NOOP("CauseNames", "No access to Docker")},
    {"driver-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Driver mismatch")},
    {"driver-too-old", QT_TRANSLATE_NOOP("CauseNames", "Driver too old")},
    {"dtype-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Type mismatch")},
    {"environment-missing", QT_TRANSLATE_NOOP("CauseNames", "Variable not set")},
    {"file-exists", QT_TRANSLATE_NOOP("CauseNames", "File exists")},
    {"file-locked", QT_TRANSLATE_NOOP("CauseNames", "File is locked")},
    {"file-missing", QT_TRANSLATE_NOOP("CauseNames", "File missing")},
    {"file-size-limit", QT_TRANSLATE_NOOP("CauseNames", "File size limit")},
    {"files-differ", QT_TRANSLATE_NOOP("CauseNames", "Files differ")},
    {"git-auth", QT_TRANSLATE_NOOP("CauseNames", "git login refused")},
    {"git-conflict", QT_TRANSLATE_NOOP("CauseNames", "git: conflict")},
    {"git-folder", QT_TRANSLATE_NOOP("CauseNames", "git: folder in the way")},
    {"git-lfs", QT_TRANSLATE_NOOP("CauseNames", "git LFS")},
    {"git-repository", QT_TRANSLATE_NOOP("CauseNames", "git: no such repository")},
    {"gpu-busy", QT_TRANSLATE_NOOP("CauseNames", "GPU is in use")},
    {"gpu-fault", QT_TRANSLATE_NOOP("CauseNames", "GPU memory fault")},
    {"gpu-lost", QT_TRANSLATE_NOOP("CauseNames", "GPU lost")},
    {"gpu-memory-error", QT_TRANSLATE_NOOP("CauseNames", "GPU memory error")},
    {"gpu-oom", QT_TRANSLATE_NOOP("CauseNames", "Out of GPU memory")},
    {"gpu-shared-by-ranks", QT_TRANSLATE_NOOP("CauseNames", "Ranks share a GPU")},
    {"gpu-unsupported-feature", QT_TRANSLATE_NOOP("CauseNames", "Not supported by the GPU")},
    {"gpu-xid", QT_TRANSLATE_NOOP("CauseNames", "GPU error")},
    {"heap-corruption", QT_TRANSLATE_NOOP("CauseNames", "Memory corrupted")},
    {"host-oom", QT_TRANSLATE_NOOP("CauseNames", "Out of memory")},
    {"hub-auth", QT_TRANSLATE_NOOP("CauseNames", "Hub login refused")},
    {"hub-not-found", QT_TRANSLATE_NOOP("CauseNames", "Not on the hub")},
    {"illegal-instruction", QT_TRANSLATE_NOOP("CauseNames", "Illegal instruction")},
    {"image-missing", QT_TRANSLATE_NOOP("CauseNames", "Image not found")},
    {"import-error", QT_TRANSLATE_NOOP("CauseNames", "Import failed")},
    {"interpreter-missing", QT_TRANSLATE_NOOP("CauseNames", "Interpreter missing")},
    {"invalid-gpu", QT_TRANSLATE_NOOP("CauseNames", "No such GPU")},
    {"io-error", QT_TRANSLATE_NOOP("CauseNames", "Input/output error")},
    {"kernel-image", QT_TRANSLATE_NOOP("CauseNames", "Built for other GPUs")},
    {"killed", QT_TRANSLATE_NOOP("CauseNames", "Killed")},
    {"library-missing", QT_TRANSLATE_NOOP("CauseNames", "Library missing")},
    {"module-missing", QT_TRANSLATE_NOOP("CauseNames", "Module missing")},
    {"modulefile-missing", QT_TRANSLATE_NOOP("CauseNames", "No such module file")},
    {"mpi-network", QT_TRANSLATE_NOOP("CauseNames", "MPI: network")},
    {"mpi-root", QT_TRANSLATE_NOOP("CauseNames", "MPI: run as root")},
    {"mpi-slots", QT_TRANSLATE_NOOP("CauseNames", "MPI: too few slots")},
    {"nccl-error", QT_TRANSLATE_NOOP("CauseNames", "NCCL error")},
    {"nccl-timeout", QT_TRANSLATE_NOOP("CauseNames", "NCCL timeout")},
    {"network-unreachable", QT_TRANSLATE_NOOP("CauseNames", "Network unreachable")},
    {"no-display", QT_TRANSLATE_NOOP("CauseNames", "No display")},
    {"no-gpu", QT_TRANSLATE_NOOP("CauseNames", "No GPU found")},
    {"no-input", QT_TRANSLATE_NOOP("CauseNames", "No input")},
    {"node-failure", QT_TRANSLATE_NOOP("CauseNames", "Host failed")},
    {"not-executable", QT_TRANSLATE_NOOP("CauseNames", "Not executable")},
    {"peer-lost", QT_TRANSLATE_NOOP("CauseNames", "Another task was lost")},
    {"permission-denied", QT_TRANSLATE_NOOP("CauseNames", "Permission denied")},
    {"pip-conflict", QT_TRANSLATE_NOOP("CauseNames", "pip: conflict")},
    {"pip-managed", QT_TRANSLATE_NOOP("CauseNames", "pip: managed Python")},
    {"pip-not-found", QT_TRANSLATE_NOOP("CauseNames", "pip: not found")},
    {"pip-requirements", QT_TRANSLATE_NOOP("CauseNames", "pip: requirements")},
    {"port-in-use", QT_TRANSLATE_NOOP("CauseNames", "Port in use")},
    {"preempted", QT_TRANSLATE_NOOP("CauseNames", "Preempted")},
    {"process-died-unknown", QT_TRANSLATE_NOOP("CauseNames", "A process died")},
    {"process-failed", QT_TRANSLATE_NOOP("CauseNames", "A process failed")},
    {"process-limit", QT_TRANSLATE_NOOP("CauseNames", "Process limit")},
    {"proxy", QT_TRANSLATE_NOOP("CauseNames", "Proxy error")},
    {"quota-exceeded", QT_TRANSLATE_NOOP("CauseNames", "Quota exceeded")},
    {"rate-limit", QT_TRANSLATE_NOOP("CauseNames", "Rate limit")},
    {"read-only", QT_TRANSLATE_NOOP("CauseNames", "Read-only folder")},
    {"reference-unresolved", QT_TRANSLATE_NOOP("CauseNames", "Reference without a value")},
    {"registry-auth", QT_TRANSLATE_NOOP("CauseNames", "Registry login refused")},
    {"rendezvous-timeout", QT_TRANSLATE_NOOP("CauseNames", "Rendezvous timeout")},
    {"segfault", QT_TRANSLATE_NOOP("CauseNames", "Segmentation fault")},
    {"secret-in-script", QT_TRANSLATE_NOOP("CauseNames", "Syntax error")},
    {"server-error", QT_TRANSLATE_NOOP("CauseNames", "Server error")},
    {"shape-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Shape mismatch")},
    {"shared-memory", QT_TRANSLATE_NOOP("CauseNames", "Out of shared memory")},
    {"shell-error", QT_TRANSLATE_NOOP("CauseNames", "Shell error")},
    {"slurm-request", QT_TRANSLATE_NOOP("CauseNames", "Slurm request")},
    {"ssh-auth", QT_TRANSLATE_NOOP("CauseNames", "ssh login refused")},
    {"ssh-host-key", QT_TRANSLATE_NOOP("CauseNames", "Host key refused")},
    {"ssl-verify", QT_TRANSLATE_NOOP("CauseNames", "Certificate refused")},
    {"syntax-error", QT_TRANSLATE_NOOP("CauseNames", "Syntax error")},
    {"time-limit", QT_TRANSLATE_NOOP("CauseNames", "Time limit")},
    {"timeout-command", QT_TRANSLATE_NOOP("CauseNames", "Timeout")},
    {"tls-failed", QT_TRANSLATE_NOOP("CauseNames", "TLS failed")},
    {"too-many-open-files", QT_TRANSLATE_NOOP("CauseNames", "Too many open files")},
    {"uncaught-exception", QT_TRANSLATE_NOOP("CauseNames", "Uncaught exception")},
    {"unset-variable", QT_TRANSLATE_NOOP("CauseNames", "Variable not set")},
    {"variable-left-out", QT_TRANSLATE_NOOP("CauseNames", "Variable left out")},
};

} // namespace

QString causeName(const FailureFacts &facts)
{
    // These say no more than that something was raised.
    const bool isAnyError
        = facts.cause == QLatin1StringView("user-code-error") || facts.cause == QLatin1StringView("uncaught-exception");
    const QString type = facts.args.value(QLatin1StringView("type")).toString();
    const QByteArray cause = facts.cause.toLatin1();
    const auto *known = std::ranges::lower_bound(causeNames, std::string_view(cause.constData()), {},
        [](const CauseName &name) { return std::string_view(name.cause); });
    if (known == std::end(causeNames) || cause != known->cause || (isAnyError && !type.isEmpty())) {
        return type;
    }
    const QString words = QCoreApplication::translate("CauseNames", known->words);
    return facts.certainty == QLatin1StringView("likely")
        ? QCoreApplication::translate("CauseNames", "%1, likely").arg(words)
        : words;
}

} // namespace trainyard
