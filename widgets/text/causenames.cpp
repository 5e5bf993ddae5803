// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/causenames.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace trainyard
{

namespace
{

struct CauseName {
    const char *cause; // of resources/failure-causes.json, or one of the engine's own; in the order of the alphabet
    const char *words;
    const char *brief = nullptr; // for a narrow column, where the words are long
};

constexpr CauseName causeNames[] = {
    {"abi-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Packages do not fit"),
        QT_TRANSLATE_NOOP("CauseNames", "Package clash")},
    {"abort", QT_TRANSLATE_NOOP("CauseNames", "Aborted")},
    {"argument-list", QT_TRANSLATE_NOOP("CauseNames", "Argument list too long"),
        QT_TRANSLATE_NOOP("CauseNames", "Too many args")},
    {"arithmetic-fault", QT_TRANSLATE_NOOP("CauseNames", "Arithmetic fault"),
        QT_TRANSLATE_NOOP("CauseNames", "Math fault")},
    {"assertion-failed", QT_TRANSLATE_NOOP("CauseNames", "Assertion failed"),
        QT_TRANSLATE_NOOP("CauseNames", "Assertion")},
    {"bad-arguments", QT_TRANSLATE_NOOP("CauseNames", "Wrong arguments"),
        QT_TRANSLATE_NOOP("CauseNames", "Wrong args")},
    {"broken-pipe", QT_TRANSLATE_NOOP("CauseNames", "Broken pipe")},
    {"build-failed", QT_TRANSLATE_NOOP("CauseNames", "Build failed")},
    {"bus-error", QT_TRANSLATE_NOOP("CauseNames", "Bus error")},
    {"cancelled", QT_TRANSLATE_NOOP("CauseNames", "Cancelled")},
    {"checkpoint-corrupt", QT_TRANSLATE_NOOP("CauseNames", "Checkpoint damaged"),
        QT_TRANSLATE_NOOP("CauseNames", "Checkpoint")},
    {"checkpoint-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Checkpoint mismatch"),
        QT_TRANSLATE_NOOP("CauseNames", "Checkpoint")},
    {"checkpoint-objects", QT_TRANSLATE_NOOP("CauseNames", "Checkpoint with objects"),
        QT_TRANSLATE_NOOP("CauseNames", "Checkpoint")},
    {"command-missing", QT_TRANSLATE_NOOP("CauseNames", "Command not found"),
        QT_TRANSLATE_NOOP("CauseNames", "No command")},
    {"conda-environment", QT_TRANSLATE_NOOP("CauseNames", "No such conda environment"),
        QT_TRANSLATE_NOOP("CauseNames", "No conda env")},
    {"conda-not-initialised", QT_TRANSLATE_NOOP("CauseNames", "conda not initialised"),
        QT_TRANSLATE_NOOP("CauseNames", "conda setup")},
    {"config-error", QT_TRANSLATE_NOOP("CauseNames", "Configuration error"),
        QT_TRANSLATE_NOOP("CauseNames", "Config error")},
    {"connection-closed", QT_TRANSLATE_NOOP("CauseNames", "Connection closed"),
        QT_TRANSLATE_NOOP("CauseNames", "Conn. closed")},
    {"connection-refused", QT_TRANSLATE_NOOP("CauseNames", "Connection refused"),
        QT_TRANSLATE_NOOP("CauseNames", "Conn. refused")},
    {"connection-timeout", QT_TRANSLATE_NOOP("CauseNames", "Connection timeout"),
        QT_TRANSLATE_NOOP("CauseNames", "Conn. timeout")},
    {"container-gpu", QT_TRANSLATE_NOOP("CauseNames", "No GPU in container"),
        QT_TRANSLATE_NOOP("CauseNames", "No GPU")},
    {"container-mount", QT_TRANSLATE_NOOP("CauseNames", "Mount failed")},
    {"container-name", QT_TRANSLATE_NOOP("CauseNames", "Container name in use"),
        QT_TRANSLATE_NOOP("CauseNames", "Name in use")},
    {"cpu-only-build", QT_TRANSLATE_NOOP("CauseNames", "CPU-only build")},
    {"cpu-time-limit", QT_TRANSLATE_NOOP("CauseNames", "CPU time limit")},
    {"crlf", QT_TRANSLATE_NOOP("CauseNames", "Windows line endings"), QT_TRANSLATE_NOOP("CauseNames", "CRLF lines")},
    {"cuda-fork", QT_TRANSLATE_NOOP("CauseNames", "CUDA after a fork"), QT_TRANSLATE_NOOP("CauseNames", "CUDA fork")},
    {"cuda-setup", QT_TRANSLATE_NOOP("CauseNames", "CUDA not set up"), QT_TRANSLATE_NOOP("CauseNames", "CUDA setup")},
    {"cuda-toolkit", QT_TRANSLATE_NOOP("CauseNames", "CUDA toolkit")},
    {"cudnn-mismatch", QT_TRANSLATE_NOOP("CauseNames", "cuDNN mismatch")},
    {"data-corrupt", QT_TRANSLATE_NOOP("CauseNames", "Data damaged")},
    {"data-format", QT_TRANSLATE_NOOP("CauseNames", "Data format")},
    {"data-not-finite", QT_TRANSLATE_NOOP("CauseNames", "NaN in the data"),
        QT_TRANSLATE_NOOP("CauseNames", "NaN in data")},
    {"device-assert", QT_TRANSLATE_NOOP("CauseNames", "Index out of range on GPU"),
        QT_TRANSLATE_NOOP("CauseNames", "GPU index")},
    {"device-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Device mismatch"),
        QT_TRANSLATE_NOOP("CauseNames", "Wrong device")},
    {"disk-full", QT_TRANSLATE_NOOP("CauseNames", "Disk full")},
    {"diverged", QT_TRANSLATE_NOOP("CauseNames", "Training diverged"), QT_TRANSLATE_NOOP("CauseNames", "Diverged")},
    {"dns", QT_TRANSLATE_NOOP("CauseNames", "Name not resolved"), QT_TRANSLATE_NOOP("CauseNames", "Name lookup")},
    {"docker-daemon", QT_TRANSLATE_NOOP("CauseNames", "Docker not running"),
        QT_TRANSLATE_NOOP("CauseNames", "No Docker")},
    {"docker-permission", QT_TRANSLATE_NOOP("CauseNames", "No access to Docker"),
        QT_TRANSLATE_NOOP("CauseNames", "Docker access")},
    {"driver-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Driver mismatch"),
        QT_TRANSLATE_NOOP("CauseNames", "Driver clash")},
    {"driver-too-old", QT_TRANSLATE_NOOP("CauseNames", "Driver too old")},
    {"dtype-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Type mismatch")},
    {"environment-missing", QT_TRANSLATE_NOOP("CauseNames", "Variable not set"),
        QT_TRANSLATE_NOOP("CauseNames", "Unset variable")},
    {"file-exists", QT_TRANSLATE_NOOP("CauseNames", "File exists")},
    {"file-locked", QT_TRANSLATE_NOOP("CauseNames", "File is locked")},
    {"file-missing", QT_TRANSLATE_NOOP("CauseNames", "File missing")},
    {"file-size-limit", QT_TRANSLATE_NOOP("CauseNames", "File size limit"),
        QT_TRANSLATE_NOOP("CauseNames", "File size")},
    {"file-uncopied", QT_TRANSLATE_NOOP("CauseNames", "File was not copied"),
        QT_TRANSLATE_NOOP("CauseNames", "Not copied")},
    {"files-differ", QT_TRANSLATE_NOOP("CauseNames", "Files differ")},
    {"git-auth", QT_TRANSLATE_NOOP("CauseNames", "git login refused"), QT_TRANSLATE_NOOP("CauseNames", "git login")},
    {"git-conflict", QT_TRANSLATE_NOOP("CauseNames", "git: conflict")},
    {"git-copy", QT_TRANSLATE_NOOP("CauseNames", "git: a copy without .git"),
        QT_TRANSLATE_NOOP("CauseNames", "git in a copy")},
    {"git-folder", QT_TRANSLATE_NOOP("CauseNames", "git: folder in the way"),
        QT_TRANSLATE_NOOP("CauseNames", "git folder")},
    {"git-lfs", QT_TRANSLATE_NOOP("CauseNames", "git LFS")},
    {"git-repository", QT_TRANSLATE_NOOP("CauseNames", "git: no such repository"),
        QT_TRANSLATE_NOOP("CauseNames", "No repository")},
    {"git-tracking", QT_TRANSLATE_NOOP("CauseNames", "git: no branch to follow"),
        QT_TRANSLATE_NOOP("CauseNames", "git: branch")},
    {"gpu-busy", QT_TRANSLATE_NOOP("CauseNames", "GPU is in use")},
    {"gpu-fault", QT_TRANSLATE_NOOP("CauseNames", "GPU memory fault"), QT_TRANSLATE_NOOP("CauseNames", "GPU fault")},
    {"gpu-link", QT_TRANSLATE_NOOP("CauseNames", "NVLink error")},
    {"gpu-lost", QT_TRANSLATE_NOOP("CauseNames", "GPU lost")},
    {"gpu-memory-error", QT_TRANSLATE_NOOP("CauseNames", "GPU memory error"),
        QT_TRANSLATE_NOOP("CauseNames", "GPU memory")},
    {"gpu-oom", QT_TRANSLATE_NOOP("CauseNames", "Out of GPU memory"), QT_TRANSLATE_NOOP("CauseNames", "GPU OOM")},
    {"gpu-shared-by-ranks", QT_TRANSLATE_NOOP("CauseNames", "Ranks share a GPU"),
        QT_TRANSLATE_NOOP("CauseNames", "Shared GPU")},
    {"gpu-unsupported-feature", QT_TRANSLATE_NOOP("CauseNames", "Not supported by the GPU"),
        QT_TRANSLATE_NOOP("CauseNames", "GPU support")},
    {"gpu-xid", QT_TRANSLATE_NOOP("CauseNames", "GPU error")},
    {"heap-corruption", QT_TRANSLATE_NOOP("CauseNames", "Memory corrupted"),
        QT_TRANSLATE_NOOP("CauseNames", "Heap damage")},
    {"host-oom", QT_TRANSLATE_NOOP("CauseNames", "Out of memory"), QT_TRANSLATE_NOOP("CauseNames", "OOM")},
    {"hub-auth", QT_TRANSLATE_NOOP("CauseNames", "Hub login refused"), QT_TRANSLATE_NOOP("CauseNames", "Hub login")},
    {"hub-not-found", QT_TRANSLATE_NOOP("CauseNames", "Not on the hub")},
    {"illegal-instruction", QT_TRANSLATE_NOOP("CauseNames", "Illegal instruction"),
        QT_TRANSLATE_NOOP("CauseNames", "Wrong CPU")},
    {"image-damaged", QT_TRANSLATE_NOOP("CauseNames", "Image damaged")},
    {"image-missing", QT_TRANSLATE_NOOP("CauseNames", "Image not found"), QT_TRANSLATE_NOOP("CauseNames", "No image")},
    {"import-error", QT_TRANSLATE_NOOP("CauseNames", "Import failed")},
    {"interpreter-missing", QT_TRANSLATE_NOOP("CauseNames", "Interpreter missing"),
        QT_TRANSLATE_NOOP("CauseNames", "No interpreter")},
    {"invalid-gpu", QT_TRANSLATE_NOOP("CauseNames", "No such GPU")},
    {"io-error", QT_TRANSLATE_NOOP("CauseNames", "Input/output error"), QT_TRANSLATE_NOOP("CauseNames", "I/O error")},
    {"kernel-image", QT_TRANSLATE_NOOP("CauseNames", "Built for other GPUs"),
        QT_TRANSLATE_NOOP("CauseNames", "Other GPU")},
    {"killed", QT_TRANSLATE_NOOP("CauseNames", "Killed")},
    {"launcher-missing", QT_TRANSLATE_NOOP("CauseNames", "No launcher")},
    {"library-missing", QT_TRANSLATE_NOOP("CauseNames", "Library missing"),
        QT_TRANSLATE_NOOP("CauseNames", "No library")},
    {"licence-missing", QT_TRANSLATE_NOOP("CauseNames", "No licence")},
    {"locked-memory", QT_TRANSLATE_NOOP("CauseNames", "Locked memory limit"),
        QT_TRANSLATE_NOOP("CauseNames", "Locked memory")},
    {"memory-refused", QT_TRANSLATE_NOOP("CauseNames", "Memory refused"), QT_TRANSLATE_NOOP("CauseNames", "No memory")},
    {"module-missing", QT_TRANSLATE_NOOP("CauseNames", "Module missing")},
    {"modulefile-conflict", QT_TRANSLATE_NOOP("CauseNames", "Module files conflict"),
        QT_TRANSLATE_NOOP("CauseNames", "Modules clash")},
    {"modulefile-missing", QT_TRANSLATE_NOOP("CauseNames", "No such module file"),
        QT_TRANSLATE_NOOP("CauseNames", "No module file")},
    {"mpi-launcher", QT_TRANSLATE_NOOP("CauseNames", "MPI: started by srun"),
        QT_TRANSLATE_NOOP("CauseNames", "MPI: srun")},
    {"mpi-network", QT_TRANSLATE_NOOP("CauseNames", "MPI: network")},
    {"mpi-root", QT_TRANSLATE_NOOP("CauseNames", "MPI: run as root"), QT_TRANSLATE_NOOP("CauseNames", "MPI as root")},
    {"mpi-slots", QT_TRANSLATE_NOOP("CauseNames", "MPI: too few slots"), QT_TRANSLATE_NOOP("CauseNames", "MPI slots")},
    {"nccl-error", QT_TRANSLATE_NOOP("CauseNames", "NCCL error")},
    {"nccl-timeout", QT_TRANSLATE_NOOP("CauseNames", "NCCL timeout")},
    {"network-unreachable", QT_TRANSLATE_NOOP("CauseNames", "Network unreachable"),
        QT_TRANSLATE_NOOP("CauseNames", "No network")},
    {"no-display", QT_TRANSLATE_NOOP("CauseNames", "No display")},
    {"no-gpu", QT_TRANSLATE_NOOP("CauseNames", "No GPU found")},
    {"no-input", QT_TRANSLATE_NOOP("CauseNames", "No input")},
    {"node-failure", QT_TRANSLATE_NOOP("CauseNames", "Host failed")},
    {"not-executable", QT_TRANSLATE_NOOP("CauseNames", "Not executable")},
    {"peer-lost", QT_TRANSLATE_NOOP("CauseNames", "Another task was lost"),
        QT_TRANSLATE_NOOP("CauseNames", "Task lost")},
    {"permission-denied", QT_TRANSLATE_NOOP("CauseNames", "Permission denied"),
        QT_TRANSLATE_NOOP("CauseNames", "No permission")},
    {"pip-conflict", QT_TRANSLATE_NOOP("CauseNames", "pip: conflict")},
    {"pip-managed", QT_TRANSLATE_NOOP("CauseNames", "pip: managed Python"),
        QT_TRANSLATE_NOOP("CauseNames", "pip: managed")},
    {"pip-not-found", QT_TRANSLATE_NOOP("CauseNames", "pip: not found")},
    {"pip-requirements", QT_TRANSLATE_NOOP("CauseNames", "pip: requirements"),
        QT_TRANSLATE_NOOP("CauseNames", "pip failed")},
    {"port-in-use", QT_TRANSLATE_NOOP("CauseNames", "Port in use")},
    {"preempted", QT_TRANSLATE_NOOP("CauseNames", "Preempted")},
    {"process-died-unknown", QT_TRANSLATE_NOOP("CauseNames", "A process died")},
    {"process-failed", QT_TRANSLATE_NOOP("CauseNames", "A process failed"),
        QT_TRANSLATE_NOOP("CauseNames", "Process failed")},
    {"process-limit", QT_TRANSLATE_NOOP("CauseNames", "Process limit")},
    {"proxy", QT_TRANSLATE_NOOP("CauseNames", "Proxy error")},
    {"quota-exceeded", QT_TRANSLATE_NOOP("CauseNames", "Quota exceeded")},
    {"rate-limit", QT_TRANSLATE_NOOP("CauseNames", "Rate limit")},
    {"read-only", QT_TRANSLATE_NOOP("CauseNames", "Read-only folder"), QT_TRANSLATE_NOOP("CauseNames", "Read-only")},
    {"reference-unresolved", QT_TRANSLATE_NOOP("CauseNames", "Reference without a value"),
        QT_TRANSLATE_NOOP("CauseNames", "No value")},
    {"registry-auth", QT_TRANSLATE_NOOP("CauseNames", "Registry login refused"),
        QT_TRANSLATE_NOOP("CauseNames", "Registry login")},
    {"rendezvous-timeout", QT_TRANSLATE_NOOP("CauseNames", "Rendezvous timeout"),
        QT_TRANSLATE_NOOP("CauseNames", "Rendezvous")},
    {"secret-in-script", QT_TRANSLATE_NOOP("CauseNames", "Syntax error")},
    {"secret-split", QT_TRANSLATE_NOOP("CauseNames", "Secret without quotes"),
        QT_TRANSLATE_NOOP("CauseNames", "Secret split")},
    {"segfault", QT_TRANSLATE_NOOP("CauseNames", "Segmentation fault"), QT_TRANSLATE_NOOP("CauseNames", "Segfault")},
    {"server-error", QT_TRANSLATE_NOOP("CauseNames", "Server error")},
    {"shape-mismatch", QT_TRANSLATE_NOOP("CauseNames", "Shape mismatch")},
    {"shared-memory", QT_TRANSLATE_NOOP("CauseNames", "Out of shared memory"),
        QT_TRANSLATE_NOOP("CauseNames", "Shared memory")},
    {"shell-error", QT_TRANSLATE_NOOP("CauseNames", "Shell error")},
    {"slurm-launch", QT_TRANSLATE_NOOP("CauseNames", "Slurm start failed"),
        QT_TRANSLATE_NOOP("CauseNames", "Slurm start")},
    {"slurm-request", QT_TRANSLATE_NOOP("CauseNames", "Slurm request")},
    {"slurm-unreachable", QT_TRANSLATE_NOOP("CauseNames", "Slurm not reached"),
        QT_TRANSLATE_NOOP("CauseNames", "No Slurm")},
    {"ssh-auth", QT_TRANSLATE_NOOP("CauseNames", "ssh login refused"), QT_TRANSLATE_NOOP("CauseNames", "ssh login")},
    {"ssh-host-key", QT_TRANSLATE_NOOP("CauseNames", "Host key refused"), QT_TRANSLATE_NOOP("CauseNames", "Host key")},
    {"ssl-verify", QT_TRANSLATE_NOOP("CauseNames", "Certificate refused"),
        QT_TRANSLATE_NOOP("CauseNames", "Certificate")},
    {"syntax-error", QT_TRANSLATE_NOOP("CauseNames", "Syntax error")},
    {"time-limit", QT_TRANSLATE_NOOP("CauseNames", "Time limit")},
    {"timeout-command", QT_TRANSLATE_NOOP("CauseNames", "Timeout")},
    {"tls-failed", QT_TRANSLATE_NOOP("CauseNames", "TLS failed")},
    {"too-many-open-files", QT_TRANSLATE_NOOP("CauseNames", "Too many open files"),
        QT_TRANSLATE_NOOP("CauseNames", "Open files")},
    {"uncaught-exception", QT_TRANSLATE_NOOP("CauseNames", "Uncaught exception"),
        QT_TRANSLATE_NOOP("CauseNames", "Exception")},
    {"unset-variable", QT_TRANSLATE_NOOP("CauseNames", "Variable not set"),
        QT_TRANSLATE_NOOP("CauseNames", "Unset variable")},
    {"user-unknown", QT_TRANSLATE_NOOP("CauseNames", "User without a name"),
        QT_TRANSLATE_NOOP("CauseNames", "No user name")},
    {"variable-left-out", QT_TRANSLATE_NOOP("CauseNames", "Variable left out"),
        QT_TRANSLATE_NOOP("CauseNames", "No variable")},
    {"venv-missing", QT_TRANSLATE_NOOP("CauseNames", "No virtual environment"),
        QT_TRANSLATE_NOOP("CauseNames", "No venv")},
    {"watch-limit", QT_TRANSLATE_NOOP("CauseNames", "Limit of watched files"),
        QT_TRANSLATE_NOOP("CauseNames", "Watch limit")},
};
// Names are found by halves.
static_assert(
    std::ranges::is_sorted(causeNames, {}, [](const CauseName &name) { return std::string_view(name.cause); }));

QString nameOfCause(const FailureFacts &facts, bool isBrief)
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
    if (isBrief) {
        return QCoreApplication::translate("CauseNames", known->brief ? known->brief : known->words);
    }
    const QString words = QCoreApplication::translate("CauseNames", known->words);
    return facts.certainty == QLatin1StringView("likely")
        ? QCoreApplication::translate("CauseNames", "%1, likely").arg(words)
        : words;
}

} // namespace

QString causeName(const FailureFacts &facts) { return nameOfCause(facts, false); }

QString causeBrief(const FailureFacts &facts) { return nameOfCause(facts, true); }

QStringList causesNamed(const QString &text)
{
    QStringList causes;
    const auto has = [&text](const char *words) {
        return words && QCoreApplication::translate("CauseNames", words).contains(text, Qt::CaseInsensitive);
    };
    for (const CauseName &name : causeNames) {
        if (has(name.words) || has(name.brief)) {
            causes.append(QLatin1StringView(name.cause));
        }
    }
    return causes;
}

} // namespace trainyard
