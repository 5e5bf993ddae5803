// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sharedoptions.h"

#include "app/cli/arguments.h"
#include "app/cli/console.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QString SharedOption::shown() const { return optionOf(spelled, text).shown(); }

SharedOption catalogOption()
{
    return {u"--catalog FOLDER"_s,
        tr("where marketplace://data/x is found (FOLDER/data/x.yaml); by default the setting catalogue.folder")};
}

SharedOption secretOption()
{
    return {u"--secret NAME"_s,
        tr("ask for a secret of the job; NAME=@FILE reads it from a file ('-' is standard input), NAME=env:VARIABLE "
           "from the environment. A value itself is not accepted: other users can read command lines")};
}

SharedOption strictOption()
{
    return {u"--strict"_s,
        tr("behave exactly as an OpenPAI cluster: the job is refused if a server would refuse it, and runs as the "
           "cluster's runtime runs it (extras.trainyard.strict). FILE is not changed; the job's record has the mark, "
           "so that 'retry' is strict, too")};
}

SharedOption onOption()
{
    return {u"--on HOST"_s,
        tr("run on this host (see 'hosts list'), or with 'any' on any host with enough free resources; the "
           "default is 'pool': this computer if the work folder is here and the job fits, else any host. "
           "'slurm:NAME', 'openpai:NAME' or 'kubernetes:NAME' hands the job to a cluster (see 'targets list')")};
}

SharedOption environmentOption()
{
    return {u"--env NAME=VALUE"_s,
        tr("set an environment variable of the tasks; NAME alone takes the value from this shell; may be "
           "repeated. The value is kept with the job (extras.trainyard.variables), so do not put a secret there")};
}

SharedOption workOption()
{
    return {u"--work FOLDER"_s,
        tr("the folder in which the commands run (default: the folder of FILE; for '-' an empty one for each task)")};
}

SharedOption runtimeOption()
{
    return {u"--in RUNTIME"_s, tr("what the tasks run in: host, podman, docker or apptainer")};
}

QStringList runtimeWords() { return {u"host"_s, u"podman"_s, u"docker"_s, u"apptainer"_s}; }

SharedOption priorityOption()
{
    return {u"--priority N"_s, tr("position in the queue: jobs with larger numbers start first (default 0)")};
}

SharedOption afterOption()
{
    return {u"--after JOB"_s,
        tr("wait until this job has succeeded, with JOB:ended until it has ended; may be repeated. If the "
           "other job does not succeed, this job fails")};
}

SharedOption tagOption()
{
    return {u"--tag TAG"_s,
        tr("give the job a tag, by which 'ps tag:TAG' finds it; commas separate several, and it may be repeated")};
}

SharedOption waitOption()
{
    return {
        u"--wait"_s, tr("wait until the job has ended and its logs are here, with a table of its tasks on a terminal")};
}

SharedOption submittedJsonOption(const QString &more)
{
    return {u"--json"_s,
        tr("print a JSON object: id, uuid, notes (code, args: what there is to say about the job); if the command "
           "waits, the result, in the form of 'ps --json'")
            + (more.isEmpty() ? QString() : u"; "_s + more)};
}

SharedOption jsonOption() { return {u"--json"_s, tr("print JSON")}; }

SharedOption actedJsonOption(const QString &more)
{
    return {u"--json"_s,
        tr("print a JSON array with an object for each job: job (its number), name, uuid, ok, changed, error (code, "
           "message; only where ok is false)")
            + (more.isEmpty() ? QString() : u", "_s + more)};
}

QString whichJob() { return tr("Which job? Give its number, the beginning of its UUID, or its name."); }

QString failedJobNote()
{
    return tr("A FAILED job that was waited for gives the status of its command, or its own code, if that is 1 to 125, "
              "otherwise 1.");
}

QString severalNote()
{
    return tr("A JOB may also stand for several: numbers (38-46, or 38,40-42), group:NAME for all jobs of a group (see "
              "'sweep'), and any condition of 'ps', such as tag:mix, state:failed or 'lr>0.1', for the jobs that 'ps' "
              "lists with it.");
}

} // namespace trainyard::cli
