// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/activeenvironment.h"

#include "app/cli/console.h"
#include "engine/client/paths.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/template/pluginsteps.h"
#include "model/template/render.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Commands that call the Python of an environment.
bool callsPython(const QString &command)
{
    static const QRegularExpression programs(
        u"(?<![\\w./-])(?:python[0-9.]*|pip[0-9.]*|torchrun|accelerate|deepspeed|pytest|jupyter|ipython)(?![\\w.-])"_s);
    return programs.match(command).hasMatch();
}

// Commands that choose an environment themselves, whichever it is.
bool choosesOne(const QString &text)
{
    static const QRegularExpression words(
        u"activate|VIRTUAL_ENV|CONDA_|\\b(?:conda|mamba|micromamba|module|ml|spack|uv|poetry|pipenv|pixi|hatch|nix|pyenv)\\s"_s);
    return words.match(text).hasMatch();
}

QString startUpFiles()
{
    constexpr qint64 enough = 64 << 10; // of each
    QString all;
    for (const char *name : {".profile", ".bash_profile", ".bash_login", ".bashrc", ".zshenv", ".zprofile", ".zshrc",
             ".zlogin", ".login"}) {
        QFile file(QDir::home().filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::ReadOnly)) {
            all += QString::fromUtf8(file.read(enough)) + u'\n';
        }
    }
    return all;
}

} // namespace

ActiveEnvironment activeEnvironment(const QProcessEnvironment &variables)
{
    if (const QString folder = variables.value(u"VIRTUAL_ENV"_s); !folder.isEmpty()) {
        return {folder, u"source "_s + shellWord(folder + u"/bin/activate"_s)};
    }
    const QString folder = variables.value(u"CONDA_PREFIX"_s), name = variables.value(u"CONDA_DEFAULT_ENV"_s);
    if (folder.isEmpty() || name.isEmpty() || name == "base"_L1) {
        return {};
    }
    return {folder, u"conda activate "_s + shellWord(name)};
}

bool leavesUnused(const ActiveEnvironment &active, const JobSpec &job, const Settings &settings, const QString &startUp)
{
    const bool isSaid = !environmentOf(job).isEmpty() || isStrict(job)
        || settings.text(u"environment.mode"_s) != "login"_L1
        || settings.texts(u"hostEnvironment."_s).contains(u"local"_s);
    const QString inFolder = QFileInfo(active.folder).fileName() + u"/bin/"_s;
    const bool isSet = std::ranges::any_of(variablesOf(job), [](const auto &each) {
        return each.first == "PATH"_L1 || each.first == "VIRTUAL_ENV"_L1 || each.first == "PYTHONPATH"_L1;
    });
    const bool hasSteps = std::ranges::any_of(
        job.prerequisites, [](const Prerequisite &each) { return each.type != "dockerimage"_L1; });
    // In start-up files, conda and others have blocks that activate nothing in a login shell of a program.
    if (active.folder.isEmpty() || isSaid || isSet || hasSteps || startUp.contains(u"activate"_s)
        || startUp.contains(active.folder)) {
        return false;
    }
    bool calls = false;
    for (const TaskRole &role : job.taskRoles) {
        for (const QString &command : shellCommandsOf(job, role)) {
            if (choosesOne(command) || command.contains(inFolder) || command.contains(active.folder)) {
                return false;
            }
            calls = calls || callsPython(command);
        }
    }
    return calls;
}

void sayUnusedEnvironment(const QByteArray &yaml, const QString &target, const QString &runIn)
{
    const bool isHere = target.isEmpty() || target == "local"_L1;
    const ActiveEnvironment active = activeEnvironment(QProcessEnvironment::systemEnvironment());
    if (!stderrIsTerminal() || !isHere || active.folder.isEmpty() || !(runIn.isEmpty() || runIn == "host"_L1)) {
        return;
    }
    const ParseOutcome outcome = parseJob(yaml);
    const bool isShell
        = outcome.spec && (outcome.spec->trainyard.runIn.isEmpty() || outcome.spec->trainyard.runIn == "host"_L1);
    const Settings settings(paths::configFolder() + u"/engine.json"_s);
    if (isShell && leavesUnused(active, *outcome.spec, settings, startUpFiles())) {
        errorLine(tr("The job does not use the environment %1 that is active in this terminal. To use it, set "
                     "extras.trainyard.environment in the job: %2")
                      .arg(active.folder, active.activation));
    }
}

} // namespace trainyard::cli
