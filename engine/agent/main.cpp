// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/agent.h"
#include "engine/agent/askpass.h"
#include "engine/agent/filelimit.h"
#include "engine/agent/lead.h"
#include "engine/agent/network.h"
#include "engine/contract/corefiles.h"
#include "engine/contract/scope.h"
#include "engine/contract/taskfolder.h"

#include <elf.h>
#include <link.h>
#include <sys/random.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

namespace
{

#ifndef TRAINYARD_VERSION
#define TRAINYARD_VERSION "0"
#endif

// The linker's build id identifies exactly this binary.
std::string buildId()
{
    std::string id;
    ::dl_iterate_phdr(
        [](dl_phdr_info *info, std::size_t, void *data) -> int {
            for (int i = 0; i < info->dlpi_phnum; ++i) {
                const ElfW(Phdr) &header = info->dlpi_phdr[i];
                if (header.p_type != PT_NOTE) {
                    continue;
                }
                const char *at = reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr);
                const char *end = at + header.p_memsz;
                while (at + sizeof(ElfW(Nhdr)) <= end) {
                    ElfW(Nhdr) note;
                    std::memcpy(&note, at, sizeof note);
                    const char *name = at + sizeof note;
                    const char *text = name + ((note.n_namesz + 3u) & ~3u);
                    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
                        char hex[3];
                        for (unsigned k = 0; k < note.n_descsz; ++k) {
                            std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(text[k]));
                            *static_cast<std::string *>(data) += hex;
                        }
                        return 1;
                    }
                    at = text + ((note.n_descsz + 3u) & ~3u);
                }
            }
            return 1; // the first object is the program itself
        },
        &id);
    return id.empty() ? "unknown" : id;
}

std::string randomNonce()
{
    unsigned char bytes[8] = {};
    static_cast<void>(!::getrandom(bytes, sizeof bytes, 0));
    std::string nonce;
    char hex[3];
    for (const unsigned char byte : bytes) {
        std::snprintf(hex, sizeof hex, "%02x", byte);
        nonce += hex;
    }
    return nonce;
}

bool isNonce(const std::string &text)
{
    return !text.empty() && text.size() <= 64
        && text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")
        == std::string::npos;
}

int usage(FILE *to, int status)
{
    std::fputs(
        "Usage: trainyard-agent --serve [NONCE] | --step NONCE | --lead FOLDER | --version\n"
        "Trainyard's helper on a host: starts tasks and reads their logs. The engine starts it and speaks to it over\n"
        "standard input and output; there is nothing to do with it by hand.\n",
        to);
    return status;
}

} // namespace

int main(int argc, char **argv)
{
    trainyard::contract::leaveNoCoreFiles();
    trainyard::contract::keepMemoryPrivate();
    // ssh starts its SSH_ASKPASS with the question as the only argument, so the mode must be given in another way.
    const char *askSocket = std::getenv("TRAINYARD_ASKPASS");
    if (askSocket && argc == 2) {
        return trainyard::agent::askPass(askSocket, argv[1], std::getenv("SSH_ASKPASS_PROMPT"));
    }
    const std::string word = argc > 1 ? argv[1] : "";
    if (word == "--version") {
        std::printf("trainyard-agent %s contract %d build %s\n", TRAINYARD_VERSION,
            trainyard::contract::taskFolderContract, buildId().c_str());
        return 0;
    }
    if (word == "--help") {
        return usage(stdout, 0);
    }
    if (word == "--lead" && argc == 3) {
        trainyard::agent::raiseFileLimit();
        return trainyard::agent::lead(argv[2], argv[0]);
    }
    const bool isStep = word == "--step" && argc == 3;
    const std::string nonce = argc > 2 ? argv[2] : randomNonce();
    if ((word != "--serve" && !isStep) || argc > 3 || !isNonce(nonce)) {
        return usage(stderr, 2);
    }
    trainyard::agent::leaveNetwork(argv);
    if (isStep) {
        // The cluster asks all processes of a step to end, and watches over them: none leaves its place. The task's
        // keeper hears of it, and of the end of the step, in its own ways.
        std::signal(SIGTERM, SIG_IGN);
        std::signal(SIGINT, SIG_IGN);
    } else {
        // Tasks must outlive the terminal, the ssh session and the engine that this was started from.
        trainyard::contract::moveToOwnScope("trainyard-tasks");
    }
    trainyard::agent::raiseFileLimit();
    try {
        trainyard::agent::Agent agent(STDIN_FILENO, STDOUT_FILENO, nonce, TRAINYARD_VERSION, buildId());
        if (isStep) {
            agent.becomeStep();
        }
        return agent.run();
    } catch (const std::exception &problem) {
        // Only memory can run out here. The keepers do not need the agent, and the engine starts another.
        std::fprintf(stderr, "trainyard-agent: %s\n", problem.what());
        return 3;
    }
}
