// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"

#include "model/base/exportmark.h"
#include "model/base/shellquote.h"
#include "model/runtime/environment.h"
#include "model/template/pluginsteps.h"
#include "model/template/render.h"

#include <QJsonArray>
#include <QResource>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace trainyard::exporting
{

namespace
{

constexpr qint64 usualGraceSeconds = 30;

QByteArray quotedWord(const QString &text) { return shellQuote(text.toUtf8()); }

// NAME=(a b c), or with a word on a line of its own.
QByteArray arrayLine(const char *name, const QList<QByteArray> &words)
{
    return QByteArray(name) + "=(" + words.join(' ') + ")\n";
}

QByteArray arrayLines(const QByteArray &head, const QList<QByteArray> &words, const QByteArray &indent)
{
    QByteArray text = head + "(\n";
    for (const QByteArray &word : words) {
        text += indent + "    " + word + '\n';
    }
    return text + indent + ")\n";
}

// The values that scripts determine when they run.
bool isFoundOut(const QString &name)
{
    static const QSet<QString> names{u"PAI_FRAMEWORK_NAME"_s, u"PAI_JOB_NAME"_s, u"PAI_USER_NAME"_s, u"PAI_USERNAME"_s,
        u"FRAMEWORK_NAME"_s, u"APP_ID"_s, u"HADOOP_USER_NAME"_s, u"FC_FRAMEWORK_NAME"_s, u"FC_FRAMEWORK_ATTEMPT_ID"_s,
        u"TRAINYARD_JOB_ID"_s, u"TRAINYARD_JOB_ATTEMPT"_s, u"PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX"_s,
        u"PAI_TASK_INDEX"_s, u"PAI_TASK_ROLE_INDEX"_s, u"FC_TASK_INDEX"_s, u"FC_TASK_ATTEMPT_ID"_s,
        u"TRAINYARD_TASK_TRY"_s, u"PAI_CURRENT_CONTAINER_IP"_s, u"PAI_CONTAINER_HOST_IP"_s,
        u"PAI_CURRENT_CONTAINER_PORT"_s, u"PAI_CONTAINER_HOST_PORT"_s, u"PAI_CONTAINER_SSH_PORT"_s,
        u"PAI_CONTAINER_HOST_PORT_LIST"_s, u"PAI_CONTAINER_ID"_s, u"PAI_WORK_DIR"_s};
    return names.contains(name) || name.endsWith(u"_HOST_LIST"_s);
}

QList<QByteArray> assignments(const QList<std::pair<QString, QString>> &variables)
{
    QList<QByteArray> words;
    for (const auto &[name, value] : variables) {
        if (!isFoundOut(name)) {
            words.append(quotedWord(name + u'=' + value));
        }
    }
    return words;
}

// The steps of plugins that need nothing of Trainyard. A clone whose address has a login would show it.
bool canRunElsewhere(const PluginScript &step)
{
    const bool isClone = step.plugin == u"git"_s && !step.usesSecret
        && (!step.script.contains(u"__ty_git_password="_s) || step.script.contains(u"__ty_git_password=''"_s));
    return step.plugin == u"cmd"_s || isClone;
}

class ScriptMaker
{
public:
    ScriptMaker(const JobSpec &job, Starter starter)
        : m_job(job), m_starter(starter), m_needs(needsOf(job, starter)), m_secrets(job)
    {
    }
    Result<JobScript> make();

private:
    std::optional<Error> addRole(qsizetype number);
    QByteArray addText(const QString &what, const QString &text);
    QByteArray settings() const;
    QByteArray variables() const;

    bool needs(const char *word) const { return m_needs.contains(word); }

    const JobSpec &m_job;
    const Starter m_starter;
    ScriptNeeds m_needs;
    SecretNames m_secrets;
    QByteArray m_texts; // functions
    QByteArray m_programs; // branches of role_program
    int m_count = 0;
    QList<ExportNote> m_notes;
};

QByteArray ScriptMaker::addText(const QString &what, const QString &text)
{
    const QByteArray name = "text_" + QByteArray::number(m_count++);
    m_texts += commented(what) + textFunction(name, text, m_secrets) + '\n';
    return name;
}

std::optional<Error> ScriptMaker::addRole(qsizetype number)
{
    const TaskRole &role = m_job.taskRoles.at(number);
    ComposeOptions options;
    options.strict = isStrict(m_job);
    const Result<ComposedRole> composed = composeRole(m_job, role, options);
    if (!composed) {
        return composed.error();
    }
    QList<QByteArray> calls;
    const QString environment = environmentOf(m_job);
    if (!environment.isEmpty() && environment != u"login"_s && environment != u"clean"_s && !options.strict) {
        const QByteArray name = addText(role.name + u": environment"_s,
            u"set -o errexit\n"_s + environmentStep(environment, u"extras.trainyard.environment"_s));
        calls.append("step environment " + name);
    }
    const auto addSteps = [&](const QList<PluginScript> &steps, const QString &when) {
        for (const PluginScript &step : steps) {
            if (!canRunElsewhere(step)) {
                m_notes.append({u"export.plugin"_s, {{u"plugin"_s, step.plugin}, {u"role"_s, role.name}}});
                continue;
            }
            const QByteArray name = addText(role.name + u": "_s + step.name + u", "_s + when, step.script);
            calls.append("step " + quotedWord(step.name) + ' ' + name);
        }
    };
    addSteps(composed->before, u"before the commands"_s);
    calls.append("commands " + addText(role.name + u": the commands"_s, composed->userScript));
    addSteps(composed->after, u"after success"_s);
    if (calls.size() > 1) {
        m_needs.insert("steps");
    }
    m_programs += "    " + QByteArray::number(number) + ") " + calls.join(" &&\n        ") + " ;;\n";
    return std::nullopt;
}

QByteArray ScriptMaker::settings() const
{
    const StopRule &stop = m_job.trainyard.stop;
    QByteArray text = "JOB_NAME=" + quotedWord(m_job.name) + '\n';
    if (needs("job-retries")) {
        text += "JOB_RETRIES=" + QByteArray::number(m_job.jobRetryCount) + '\n';
    }
    if (needs("rules")) {
        text += "COMPLETED_LIMIT=" + QByteArray::number(m_job.completedLimit()) + '\n';
    }
    text += "TIME_LIMIT=" + QByteArray::number(m_job.trainyard.timeLimitSeconds.value_or(0)) + " # seconds; 0: none\n";
    text += "STOP_SIGNAL=" + (stop.signal > 0 ? QByteArray::number(stop.signal) : QByteArray("TERM"))
        + " GRACE_SECONDS=" + QByteArray::number(stop.graceSeconds.value_or(usualGraceSeconds)) + '\n';
    text += "# Of each task role, in the order of the job.\n";
    const auto column = [this](const char *name, const auto &value) {
        QList<QByteArray> words;
        for (const TaskRole &role : m_job.taskRoles) {
            words.append(value(role));
        }
        return arrayLine(name, words);
    };
    const auto numbers = [&column](const char *name, const auto &value) {
        return column(name, [&value](const TaskRole &role) { return QByteArray::number(value(role)); });
    };
    text += column("ROLE_NAMES", [](const TaskRole &role) { return quotedWord(role.name); });
    text += numbers("INSTANCES", [](const TaskRole &role) { return role.instances; });
    text += numbers("CPUS", [](const TaskRole &role) { return role.resources.cpu; });
    text += numbers("GPUS", [](const TaskRole &role) { return role.resources.gpu; });
    if (needs("task-retries")) {
        text += numbers("TASK_RETRIES", [this](const TaskRole &role) { return taskRetriesOf(m_job, role); });
    }
    if (needs("rules")) {
        text += "# How many failed tasks fail the job, and how many succeeded ones end it; -1: never.\n";
        text += numbers("MIN_FAILED", [](const TaskRole &role) { return role.effectiveMinFailed(); });
        text += numbers("MIN_SUCCEEDED", [this](const TaskRole &role) { return minSucceededOf(m_job, role); });
    }
    if (needs("images")) {
        text += column("IMAGES", [this](const TaskRole &role) { return quotedWord(imageOf(m_job, role)); });
    }
    text += "# Labels of ports and how many each has.\n";
    text += column("PORTS", [](const TaskRole &role) {
        QStringList ports;
        for (const Port &port : role.effectivePorts()) {
            ports.append(port.label + u':' + QString::number(port.count));
        }
        return quotedWord(ports.join(u' '));
    });
    QList<QByteArray> spellings;
    for (const QStringList &names : spellingsOfRoles(m_job)) {
        spellings.append(quotedWord(names.join(u' ')));
    }
    text += arrayLine("SPELLINGS", spellings);
    if (needs("secrets")) {
        QList<QByteArray> secrets;
        for (const QString &name : m_secrets.all()) {
            secrets.append(name.toUtf8());
        }
        text += arrayLine("SECRET_NAMES", secrets);
    }
    return text;
}

// The variables of tasks that do not depend on where they run.
QByteArray ScriptMaker::variables() const
{
    QList<TaskPlacement> placements;
    for (const TaskRole &role : m_job.taskRoles) {
        for (qint64 i = 0; i < role.instances; ++i) {
            placements.append({role.name, int(i), {}, {}});
        }
    }
    const TaskEnvironment environment(m_job, {{}, m_job.name, {}, 0}, placements);
    QByteArray text = arrayLines("JOB_VARIABLES=", assignments(environment.forAll()), {});
    text += "role_variables() { # number of the role\n    case $1 in\n";
    for (qsizetype i = 0; i < m_job.taskRoles.size(); ++i) {
        text += "    " + QByteArray::number(i) + ")\n"
            + arrayLines("        VARIABLES+=",
                assignments(environment.ownOfTask(m_job.taskRoles.at(i).name, 0, 0, {})), "        ")
            + "        ;;\n";
    }
    text += "    esac\n}\n";
    if (!needs("environment")) {
        return text;
    }
    text += "job_environment() {\n";
    for (const auto &[name, value] : variablesOf(m_job)) {
        text += "    export " + name.toUtf8() + '=' + quotedWord(value) + '\n';
    }
    for (const DataSource &data : m_job.trainyard.data) {
        const QString path = !data.from.isEmpty() ? data.from
            : data.paths.isEmpty()                ? QString()
                                                  : data.paths.constFirst().second;
        const QByteArray name = dataVariable(data.name).toUtf8();
        text += "    [[ -n ${" + name + "-} ]] || " + name + '=' + quotedWord(path) + "\n    export " + name + '\n';
    }
    return text + "}\n";
}

Result<JobScript> ScriptMaker::make()
{
    noteFields(m_notes, m_job, m_starter);
    for (qsizetype i = 0; i < m_job.taskRoles.size(); ++i) {
        if (const std::optional<Error> error = addRole(i)) {
            return tl::unexpected(*error);
        }
    }
    if (!m_secrets.all().isEmpty()) {
        m_needs.insert("secrets");
    }
    JobScript script;
    script.needs = m_needs;
    // The parts that the author looks for come first.
    script.text = "# --- The commands of the job, as texts: each runs in a bash of its own. "
                  "----------------------------------------------\n"
        + m_texts + "role_program() { # number of the role\n    case $1 in\n" + m_programs
        + "    esac\n}\n\n# --- The job. "
          "--------------------------------------------------------------------------------------------------------\n"
        + settings() + variables() + '\n';
    script.secrets = m_secrets.all();
    script.secretKeys = m_secrets.keys();
    script.notes = m_notes;
    return script;
}

} // namespace

Result<JobScript> jobScript(const JobSpec &job, Starter starter) { return ScriptMaker(job, starter).make(); }

QString imageOf(const JobSpec &job, const TaskRole &role)
{
    const Prerequisite *image = job.prerequisite(u"dockerimage"_s, role.dockerImage);
    return image ? image->uri.value(0) : QString();
}

Result<void> imagesOf(const JobSpec &job, const QList<qsizetype> &roles)
{
    QStringList bare;
    for (const qsizetype number : roles) {
        const TaskRole &role = job.taskRoles.at(number);
        if (imageOf(job, role).isEmpty() && !bare.contains(role.name)) {
            bare.append(role.name);
        }
    }
    if (bare.isEmpty()) {
        return {};
    }
    return bare.size() == 1 ? fail(u"export.no-image"_s, {{u"role"_s, bare.constFirst()}})
                            : fail(u"export.no-images"_s, {{u"roles"_s, QJsonArray::fromStringList(bare)}});
}

Result<void> imagesOf(const JobSpec &job)
{
    QList<qsizetype> roles(job.taskRoles.size());
    std::iota(roles.begin(), roles.end(), qsizetype(0));
    return imagesOf(job, roles);
}

qint64 taskCount(const JobSpec &job)
{
    qint64 tasks = 0;
    for (const TaskRole &role : job.taskRoles) {
        tasks += role.instances;
    }
    return tasks;
}

QByteArray scriptPart(const QString &name, const ScriptNeeds &needs)
{
    // Carried inside the program (":/"), so this reads no file of the computer.
    return neededLines(QResource(u":/trainyard/export/"_s + name + u".sh"_s).uncompressedData(), needs) + '\n';
}

QByteArray folderSettings(const JobSpec &job, const ScriptPlace &place, const ScriptNeeds &needs)
{
    const QByteArray &base = place.base;
    const QString &work = job.trainyard.work;
    QByteArray folder = base;
    if (work == u"~"_s) {
        folder = "$HOME";
    } else if (work.startsWith(u"~/"_s)) {
        folder = "$HOME/" + quotedWord(work.mid(2));
    } else if (!work.isEmpty()) {
        folder = (work.startsWith(u'/') ? QByteArray() : base + '/') + quotedWord(work);
    }
    // An environment variable of the same name says something else.
    QByteArray text = "[[ -n ${WORK_FOLDER-} ]] || WORK_FOLDER=" + folder + '\n';
    text += "[[ -n ${RUN_FOLDER-} ]] || RUN_FOLDER=" + base + '/' + plainName(job) + '-' + place.unique + '\n';
    if (needs.contains("secrets")) {
        text += "[[ -n ${SECRETS_FILE-} ]] || SECRETS_FILE=" + base + '/' + plainName(job) + ".secrets\n";
        text += "[[ $SECRETS_FILE == /* ]] || SECRETS_FILE=" + base + "/$SECRETS_FILE\n";
    }
    text += "[[ $WORK_FOLDER == /* ]] || WORK_FOLDER=" + base + "/$WORK_FOLDER\n";
    text += "[[ $RUN_FOLDER == /* ]] || RUN_FOLDER=" + base + "/$RUN_FOLDER\n";
    text += "SELF=${SELF-}\n";
    if (needs.contains("images")) {
        text += "CONTAINER_PROGRAM=${CONTAINER_PROGRAM-" + QByteArray(place.apptainer ? "apptainer" : "") + "}\n";
    }
    return text;
}

QByteArray plainName(const JobSpec &job)
{
    QByteArray name = wordOfRole(job.name).toLatin1();
    return name.isEmpty() ? QByteArray("job") : name;
}

bool usesApptainer(const JobSpec &job, const ExportOptions &options)
{
    return options.apptainer || job.trainyard.runIn == u"apptainer"_s;
}

QByteArray memberScript(const JobSpec &job, const JobScript &script, const QByteArray &settings)
{
    const QByteArray secretsFile = script.needs.contains("secrets")
        ? "[[ -n ${SECRETS_FILE-} ]] || SECRETS_FILE=/run/secrets/" + plainName(job) + "\nexport SECRETS_FILE\n"
        : QByteArray();
    return "#!/usr/bin/env bash\nset +o errexit -o nounset\nSELF=${BASH_SOURCE[0]}\n" + settings
        + "[[ -n ${RUN_FOLDER-} ]] || RUN_FOLDER=/tmp/trainyard-" + plainName(job)
        + "\n[[ -n ${WORK_FOLDER-} ]] || WORK_FOLDER=$PWD\n" + secretsFile + "ATTEMPT=${ATTEMPT:-0}\nJOB_ID=${JOB_ID:-"
        + plainName(job) + "}\nexport RUN_FOLDER WORK_FOLDER\n\n" + script.text + scriptPart(u"task"_s, script.needs)
        + scriptPart(u"member"_s, script.needs)
        + dispatch(
            "*)\n    list_tasks\n    TASK_ADDRESS=(\"${ADDRESSES[@]}\")\n    choose_ports \"${PORT_BASE:-20000}\"\n"
            "    run_member \"$1\"\n    ;;\n",
            script.needs);
}

QString dashedName(const QString &name)
{
    QString dashed;
    for (const QChar c : wordOfRole(name).toLower()) {
        dashed += c == u'_' ? u'-' : c;
    }
    while (dashed.endsWith(u'-')) {
        dashed.chop(1);
    }
    return dashed.isEmpty() || !dashed.at(0).isLetter() ? u"job-"_s + dashed : dashed;
}

QString readmeHead(const JobSpec &job) { return exportMark(job.name, taskCount(job)) + u"\n\n"_s; }

QString cutName(const QString &dashed, qsizetype most)
{
    QString name = dashed.left(most);
    while (name.endsWith(u'-')) {
        name.chop(1);
    }
    return name;
}

QStringList dashedRoles(const JobSpec &job, qsizetype most)
{
    QStringList names;
    for (const TaskRole &role : job.taskRoles) {
        const QString dashed = cutName(dashedName(role.name), most);
        QString name = dashed;
        for (int i = 2; names.contains(name); ++i) {
            name = dashed + u"-x"_s + QString::number(i);
        }
        names.append(name);
    }
    return names;
}

QByteArray dispatch(const QByteArray &main, const ScriptNeeds &needs)
{
    const QByteArray hidden
        = needs.contains("secrets") ? QByteArray("    export -n \"${SECRET_NAMES[@]}\"\n") : QByteArray();
    return "case ${1-} in\n"
           "--commands)\n"
           "    # The whole group is asked to stop: this shell stays until what it runs has ended in its own way.\n"
           "    trap : TERM INT \"$STOP_SIGNAL\"\n"
        + hidden
        + "    role_program \"$2\"\n"
          "    ;;\n"
          "--task) run_task \"$2\" \"$3\" ;;\n"
        + main + "esac\n";
}

} // namespace trainyard::exporting
