// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> taskFiles()
{
    static const SentenceRow rows[] = {
        {"checkpoints.copying",
            QT_TRANSLATE_NOOP("Sentences", "The checkpoints are being copied from {from} to {host}.")},
        {"checkpoints.copying.part",
            QT_TRANSLATE_NOOP("Sentences", "The checkpoints are being copied from {from} to {host}: {part} of {all}.")},
        {"checkpoints.waiting",
            QT_TRANSLATE_NOOP("Sentences",
                "Waits for {from}, which has the checkpoints and cannot be reached. Without them it begins on {host} "
                "in {minutes} min (setting checkpoints.waitMinutes).")},
        {"checkpoints.left",
            QT_TRANSLATE_NOOP("Sentences",
                "It began without its checkpoints, because {host} could not be reached. They are still in {folder} "
                "there.")},
        {"checkpoints.left-removed",
            QT_TRANSLATE_NOOP("Sentences",
                "It began without its checkpoints, because the host {host}, which has them in {folder}, was removed "
                "from the list of hosts.")},
        {"checkpoints.left-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "It began without its checkpoints, because their folder {folder} on {host} no longer exists.")},
        {"checkpoints.too-big",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints on {from} are too large to be copied to {host}: {size}, and the setting "
                "checkpoints.maxGiB allows {limit}. Raise it, or set it to 0 to begin without them.")},
        {"checkpoints.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints on {from} are more than {most} files, so they are not copied to {host}. Remove what "
                "the task does not need, or set checkpoints.maxGiB to 0 to begin without them.")},
        {"checkpoints.no-room",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints on {from} do not fit on the disk of {host}. Free some space for {folder}, or choose "
                "another host.")},
        {"checkpoints.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints could not be copied to {host}, because {from} cannot read {path}: {reason}")},
        {"checkpoints.unwritable",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints of {from} could not be copied, because {host} cannot write {path}: {reason}")},
        {"checkpoints.host-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The checkpoints could not be copied from {from} to {host}, because there was no answer about {path}: "
                "{reason}")},
        {"data.reading",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} is being read on this computer, to see what of it {host} has: {part} so far. What was "
                "read once is not read again.")},
        {"data.queued", QT_TRANSLATE_NOOP("Sentences", "The data {name} waits for another copy to {host} to end.")},
        {"data.checking", QT_TRANSLATE_NOOP("Sentences", "The data {name} is being checked on {host}.")},
        {"data.copying", QT_TRANSLATE_NOOP("Sentences", "The data {name} is being copied to {host}.")},
        {"data.copying.part",
            QT_TRANSLATE_NOOP("Sentences", "The data {name} is being copied to {host}: {part} of {all}.")},
        {"data.nowhere",
            QT_TRANSLATE_NOOP("Sentences",
                "The job does not say where {host} has the data {name}. Add the host or one of its labels to 'paths', "
                "or write in 'from' where the data is on this computer.")},
        {"data.relative",
            QT_TRANSLATE_NOOP("Sentences",
                "The path {path} of the data {name} is relative to nothing, because the job has neither a file nor a "
                "work "
                "folder. Write the whole path.")},
        {"data.missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} is not there: {path} does not exist on {on}. Correct the path in the job, or put the "
                "data there.")},
        {"data.unreadable", QT_TRANSLATE_NOOP("Sentences", "The data {name} cannot be read: {path} on {on}: {reason}")},
        {"data.link",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} cannot be copied to {host}, because the link {path} leads out of it or nowhere. Name "
                "the folder with everything in it, or replace the link by what it leads to.")},
        {"data.odd-name",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} cannot be copied to {host}, because the name of {path} is not text, or has control "
                "characters. Rename it.")},
        {"data.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} has more than {most} files and cannot be copied to {host}. Pack {path} into archives, "
                "or put the data on the host yourself and name its path in 'paths'.")},
        {"data.cancelled", QT_TRANSLATE_NOOP("Sentences", "Reading {path} was cancelled.")},
        {"data.changes",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} changed each time it was copied to {host}. Wait until nothing writes to {path}.")},
        {"data.wrong-sum",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} is not what the job expects: {path} on {on} has the SHA-256 {sum}, and the job says "
                "{wanted}.")},
        {"data.too-big",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} does not fit on {host}: {size} of it are to be copied, and the setting data.maxGiB "
                "allows {limit} of copies there, with those that are in use. Raise it, or put the data on the host "
                "yourself and name its path in 'paths'.")},
        {"data.no-room",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} does not fit on the disk of {host}, even without the copies that no task uses. Free "
                "some space there, or choose another host.")},
        {"data.unwritable",
            QT_TRANSLATE_NOOP(
                "Sentences", "The data {name} could not be copied, because {host} cannot write {path}: {reason}")},
        {"data.host-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The data {name} could not be brought to {host}, because {host} gave no answer about {path}: "
                "{reason}")},
        {"code.folder-missing",
            QT_TRANSLATE_NOOP("Sentences", "The work folder {folder} no longer exists, so it cannot be copied.")},
        {"code.git-missing",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} says in .gitignore or .trainyardignore which files stay here, and git, which "
                "reads that, is not installed. Install git.")},
        {"code.git-failed", QT_TRANSLATE_NOOP("Sentences", "git could not list the files of {folder}: {reason}")},
        {"code.slow",
            QT_TRANSLATE_NOOP("Sentences",
                "Listing the files of {folder} takes too long. Name large folders of data in .gitignore or "
                ".trainyardignore, or choose a smaller work folder.")},
        {"code.cancelled", QT_TRANSLATE_NOOP("Sentences", "Listing the files of {folder} was cancelled.")},
        {"code.unreadable",
            QT_TRANSLATE_NOOP("Sentences",
                "The file {file} cannot be read, or changes all the time, so the work folder cannot be copied. Name it "
                "in .trainyardignore if tasks do not need it.")},
        {"code.too-big",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is too large to be copied without asking: {size} in {files|file|files}, where the "
                "limit is {limit} in {limitFiles|file|files}. The largest are {biggest}. Name what tasks "
                "do not need in .gitignore or .trainyardignore, or raise the setting code.maxMiB or code.maxFiles.")},
        {"code.asks",
            QT_TRANSLATE_NOOP("Sentences",
                "The work folder {folder} has {size} in {files|file|files}, and up to {limit} in "
                "{limitFiles|file|files} are copied without asking. The largest are {biggest}. The job waits for you "
                "to say whether the folder is copied to {host}.")},
        {"code.refused",
            QT_TRANSLATE_NOOP("Sentences",
                "You did not want the work folder {folder} copied: {size} in {files|file|files}, of which the largest "
                "are "
                "{biggest}. Name what tasks do not need in .gitignore or .trainyardignore, or raise the setting "
                "code.maxMiB or code.maxFiles, and run the job again.")},
        {"code.no-question",
            QT_TRANSLATE_NOOP("Sentences",
                "The job does not ask whether its work folder is copied: the question was answered, or the job has "
                "continued.")},
        {"code.is-here",
            QT_TRANSLATE_NOOP("Sentences",
                "Jobs on this computer work in the folder itself, so nothing is copied. Name a host that is reached by "
                "ssh.")},
        {"code.host-away",
            QT_TRANSLATE_NOOP("Sentences",
                "{host} is not connected, so nothing can be copied there. 'trainyardctl hosts check {host}' connects "
                "it.")},
        {"code.not-copied",
            QT_TRANSLATE_NOOP("Sentences",
                "The folder {folder} is never copied to other hosts, because it contains your home folder, files of "
                "the system or files of Trainyard. Choose the folder of your project.")},
        {"code.changes",
            QT_TRANSLATE_NOOP("Sentences",
                "Files of {folder} changed each time they were copied. Wait until nothing writes there, or name the "
                "files in .trainyardignore.")},
        {"code.host-failed",
            QT_TRANSLATE_NOOP(
                "Sentences", "The work folder could not be copied, because the host cannot write {path}: {reason}")},

        {"files.failed", QT_TRANSLATE_NOOP("Sentences", "The files on {host} cannot be searched: {message}.")},
        {"files.silent",
            QT_TRANSLATE_NOOP("Sentences",
                "The files on {host} could not be searched in time: a disk or a file server there does not "
                "answer, or there are very many. Try again later.")},
        {"results.stay",
            QT_TRANSLATE_NOOP("Sentences",
                "The tasks work in {folder} on this computer and their results stay there: nothing is copied to "
                "{to}.")},
        {"results.on-host",
            QT_TRANSLATE_NOOP("Sentences",
                "If the folder is copied, what the tasks write in the copy stays on {host} until 'trainyardctl pull "
                "{job}' brings it.")},
        {"results.on-hosts",
            QT_TRANSLATE_NOOP("Sentences",
                "If the folder is copied, what tasks on another host write in the copy stays there until 'trainyardctl "
                "pull {job}' brings it.")},
        {"results.no-room",
            QT_TRANSLATE_NOOP(
                "Sentences", "The disk of {folder} is full. Make room there; what is missing comes then.")},
        {"results.not-writable", QT_TRANSLATE_NOOP("Sentences", "{path} cannot be written on this computer: {reason}")},
        {"results.folder-unwritable",
            QT_TRANSLATE_NOOP("Sentences",
                "Nothing can be written to {folder} on this computer now: {reason}. The missing files are copied when "
                "the folder can be written to.")},
        {"results.host-failed",
            QT_TRANSLATE_NOOP("Sentences",
                "The host could not read {path} just now: {reason}. The missing files are tried again for some "
                "minutes.")},
        {"results.unreadable", QT_TRANSLATE_NOOP("Sentences", "{path} cannot be read on its host: {reason}")},
        {"results.vanished", QT_TRANSLATE_NOOP("Sentences", "{path} is no longer on its host.")},
        {"results.no-folder",
            QT_TRANSLATE_NOOP(
                "Sentences", "The folder {folder} is not on its host: it was never made there, or has been removed.")},
        {"results.mismatch", QT_TRANSLATE_NOOP("Sentences", "The file {path} did not arrive unchanged.")},
        {"results.changes",
            QT_TRANSLATE_NOOP("Sentences",
                "{path} changed each time it was read, or has grown beyond the limit of one file. It is checked again "
                "while its task runs.")},
        {"results.too-large",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|file|files} with {size} remained on the host, because one file may have {limit} MiB (maxFileMB "
                "of "
                "the job's results). 'trainyardctl pull {job} {task} {path}' brings one of them.")},
        {"results.beyond",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|file|files} with {size} remained on the host, because the results of a task may have {limit} "
                "MiB "
                "together (maxMB of the job's results). 'trainyardctl pull {job} {task} {path}' brings one of them.")},
        {"results.beside",
            QT_TRANSLATE_NOOP("Sentences",
                "{path} was changed on this computer, or was there before: what came from the task is in {name} beside "
                "it.")},
        {"results.kept",
            QT_TRANSLATE_NOOP("Sentences",
                "{path} came from another host before, and a later try does not continue it: what came before is in "
                "{names} beside it.")},
        {"results.links",
            QT_TRANSLATE_NOOP("Sentences", "{files|link|links} remained on the host: links are not followed.")},
        {"results.special",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|pipe, socket or device stays|pipes, sockets and devices stay} on the host: only files are "
                "copied.")},
        {"results.odd-names",
            QT_TRANSLATE_NOOP("Sentences",
                "{files|file stays|files stay} on the host because of control characters, invalid text or a way out of "
                "the folder in the name.")},
        {"results.too-many",
            QT_TRANSLATE_NOOP("Sentences",
                "There are more files than can be checked for one task ({most} at most). Name fewer in the job's "
                "results, or pack them into one file.")},
        {"results.host-away",
            QT_TRANSLATE_NOOP(
                "Sentences", "{host} cannot be reached. The results that are still there come when it is back.")},
        {"results.folder-gone",
            QT_TRANSLATE_NOOP("Sentences",
                "The files that Trainyard had on {host} have not been there for a day: their folder was removed, or "
                "its file system is not mounted. The results in {folder} are not waited for any more. When the folder "
                "is back, 'trainyardctl pull {job} {task}' brings them.")},
        {"results.job-removed",
            QT_TRANSLATE_NOOP("Sentences", "The job was removed meanwhile, and its files with it.")},
        {"results.host-removed",
            QT_TRANSLATE_NOOP("Sentences", "The host {host} was removed before all results were here.")},
    };
    return rows;
}

} // namespace trainyard::sentences
