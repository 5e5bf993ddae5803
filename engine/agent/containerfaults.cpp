// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/containerfaults.h"

#include "engine/contract/containersaid.h"

#include <unistd.h>

#include <cerrno>

namespace trainyard::agent
{

using contract::ContainerProblem;
using contract::ExitKind;
using contract::ExitRecord;

bool failContainer(ExitRecord &record, const char *code, const std::string &argument)
{
    record.kind = ExitKind::StartFailed;
    record.reason = code;
    if (!argument.empty()) {
        record.reason += ' ' + argument;
    }
    return false;
}

bool isServiceAway(std::string_view said, ExitRecord &failed)
{
    switch (contract::containerProblem(said)) {
    case ContainerProblem::NoService:
        failContainer(failed, "launch.container-service", contract::lastWords(said));
        return true;
    case ContainerProblem::NoAccess:
        failContainer(failed, "launch.container-failed", contract::lastWords(said));
        return true;
    default:
        return false;
    }
}

bool failProcess(ExitRecord &record, int error)
{
    record.value = error;
    const bool open = error == EMFILE || error == ENFILE;
    return failContainer(record,
        open                  ? "launch.descriptors"
            : error == EAGAIN ? "launch.processes"
                              : "launch.memory",
        {});
}

bool foldersAreThere(const contract::Container &container, ExitRecord &failed)
{
    for (const std::string &folder : contract::mountedFolders(container.run)) {
        if (::access(folder.c_str(), F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
            failed.value = errno;
            return failContainer(failed, "launch.container-folder", folder);
        }
    }
    return true;
}

bool failRun(ExitRecord &failed, const contract::Container &container, const ClientResult &result)
{
    if (isServiceAway(result.said, failed)) {
        return false;
    }
    switch (contract::containerProblem(result.said)) {
    case ContainerProblem::ImageMissing:
        return failContainer(failed, "launch.image-missing", container.image);
    case ContainerProblem::ImageDenied:
        return failContainer(failed, "launch.image-denied", container.image);
    case ContainerProblem::NoShell:
        return failContainer(failed, "launch.container-shell-missing", container.image);
    case ContainerProblem::NoInfiniband:
        return failContainer(failed, "launch.container-device", contract::lastWords(result.said));
    case ContainerProblem::NoDevice:
        return failContainer(failed, "launch.container-gpu", contract::lastWords(result.said));
    default:
        return failContainer(failed, "launch.container-failed", contract::lastWords(result.said));
    }
}

bool isContainerGone(std::string_view said)
{
    for (const std::string_view words : {"no such container", "No such container", "no container with name",
             "does not exist in database", "no such object", "No such object"}) {
        if (said.find(words) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

} // namespace trainyard::agent
