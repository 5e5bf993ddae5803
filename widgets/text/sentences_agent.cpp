// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> agent()
{
    static const SentenceRow rows[] = {
        {"agent.contract", QT_TRANSLATE_NOOP("Sentences", "The helper on the host does not know this form of task folder; connect again to renew it.")},
        {"agent.not-understood", QT_TRANSLATE_NOOP("Sentences", "The helper on the host did not understand a message; connect again to renew it.")},
        {"agent.processes", QT_TRANSLATE_NOOP("Sentences", "No process can be started on the host: its limit of processes or memory is reached.")},
        {"agent.too-long", QT_TRANSLATE_NOOP("Sentences", "A message to the helper on the host is too long.")},
        {"dial.refused", QT_TRANSLATE_NOOP("Sentences", "Nothing listens on the port on the host.")},
        {"dial.too-many", QT_TRANSLATE_NOOP("Sentences", "The helper on the host has too many connections; close some.")},
        {"env.login-failed", QT_TRANSLATE_NOOP("Sentences", "The login shell on {host} gave no environment, so tasks have that of Trainyard's helper there: other paths and variables, so perhaps another Python. Look at the shell's start-up files.")},
        {"env.login-timeout", QT_TRANSLATE_NOOP("Sentences", "The login shell on {host} took longer than {seconds} seconds, so tasks have the environment of Trainyard's helper there: other paths and variables, so perhaps another Python. Look at the shell's start-up files, or raise the setting environment.loginSeconds.")},
        {"folder.swappable", QT_TRANSLATE_NOOP("Sentences", "Another user could replace the folder on the host.")},
        {"follow.away", QT_TRANSLATE_NOOP("Sentences", "Nothing of this engine is on the host. Perhaps the home folder there is not mounted.")},
        {"follow.unknown", QT_TRANSLATE_NOOP("Sentences", "The host has no log of that task.")},
        {"follow.read",
            QT_TRANSLATE_NOOP("Sentences", "A log on the host cannot be read; the engine tries again after a pause.")},
        {"gpu.driver", QT_TRANSLATE_NOOP("Sentences", "The GPUs cannot be read: the NVIDIA driver does not answer. nvidia-smi, run on the host, says why.")},
        {"gpu.failed", QT_TRANSLATE_NOOP("Sentences", "The GPUs cannot be read: nvidia-smi failed.")},
        {"gpu.lost", QT_TRANSLATE_NOOP("Sentences", "GPU {gpu} was lost while a task ran: no job gets it until the host is restarted.")},
        {"gpu.mismatch", QT_TRANSLATE_NOOP("Sentences", "The GPUs cannot be read: the NVIDIA driver was updated, and the one that is loaded does not match its library. Restart the host, or load the new driver.")},
        {"gpu.missing", QT_TRANSLATE_NOOP("Sentences", "GPU {gpu} is lost: its driver no longer lists it. No job gets it until it is listed again.")},
        {"gpu.slow", QT_TRANSLATE_NOOP("Sentences", "The GPUs are not known yet: nvidia-smi has not answered.")},
        {"gpu.mig-empty", QT_TRANSLATE_NOOP("Sentences", "MIG is on for GPU {gpu}, and it has no instances: nothing can run on it. Make instances (nvidia-smi mig -cgi), or switch MIG off (nvidia-smi -mig 0).")},
        {"gpu.none", QT_TRANSLATE_NOOP("Sentences", "No GPU was found.")},
        {"observe.away", QT_TRANSLATE_NOOP("Sentences", "What this engine has put on {host} is not to be seen there, so it is not known which tasks are running, and none starts. Perhaps the home folder there is not mounted. The engine asks again every few seconds; after five minutes, tasks that may have started count as lost, and the others start.")},
        {"observe.unreadable", QT_TRANSLATE_NOOP("Sentences", "The task's folder on {host} cannot be read, so it is not known whether the task is running. The file server may be unavailable, or the login for it may have expired. The engine asks again every few seconds.")},
        {"put.failed", QT_TRANSLATE_NOOP("Sentences", "A file could not be written on the host.")},
        {"put.malformed", QT_TRANSLATE_NOOP("Sentences", "A file was sent to the host in a form that it does not understand.")},
        {"remove.failed", QT_TRANSLATE_NOOP("Sentences", "The folder of a job could not be removed on the host.")},
        {"stream.broken", QT_TRANSLATE_NOOP("Sentences", "The connection to a program on the host was lost.")},
        {"stop.unwritable", QT_TRANSLATE_NOOP("Sentences", "The request to stop could not be written to the task's folder; is the disk full?")},
        {"wire.json", QT_TRANSLATE_NOOP("Sentences", "The helper on the host sent something that cannot be read.")},
        {"wire.length", QT_TRANSLATE_NOOP("Sentences", "The helper on the host sent something that cannot be read.")},
        {"wire.noise", QT_TRANSLATE_NOOP("Sentences", "The host prints too much at login, so the helper cannot be reached. Look at the start-up files there.")},
        {"wire.too-long", QT_TRANSLATE_NOOP("Sentences", "The helper on the host sent a message that is too long.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
