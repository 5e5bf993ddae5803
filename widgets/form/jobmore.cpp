// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/jobmore.h"

#include "widgets/form/datafields.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/hostsfields.h"
#include "widgets/form/pathchoice.h"
#include "widgets/form/resultsfields.h"
#include "widgets/form/timespans.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{

const YamlPath &queuePath()
{
    static const YamlPath path{k("defaults"), k("virtualCluster")};
    return path;
}

const YamlPath &priorityPath()
{
    static const YamlPath path{k("extras"), k("hivedScheduler"), k("jobPriorityClass")};
    return path;
}

const YamlPath &timeLimitPath()
{
    static const YamlPath path{k("extras"), k("trainyard"), k("limits"), k("timeSeconds")};
    return path;
}

const YamlPath &gangPath()
{
    static const YamlPath path{k("extras"), k("gangAllocation")};
    return path;
}

const QString &betweenParts()
{
    static const QString text(QStringLiteral("  ·  "));
    return text;
}

} // namespace

JobMore::JobMore(FormContext *context, QWidget *form)
    : QObject(form), m_context(context), m_form(form), m_line(new Disclosure(tr("More about the job"))),
      m_grid(new FormGrid), m_hosts(new HostsFields(context, QStringLiteral("job"), this)),
      m_data(new DataFields(context, this)), m_results(new ResultsFields(context, this))
{
    m_line->setObjectName(QStringLiteral("jobMore"));
    buildWork();
    buildTimeLimit();
    buildQueue();
    m_hosts->addTo(m_grid, tr("Hosts"));
    m_hosts->line()->setAccessibleName(tr("Hosts of all roles"));
    m_hosts->setRole(k("*"));
    m_data->addTo(m_grid);
    m_results->addTo(m_grid);
    buildAbout();
    // The hosts, the storages and the folder of the file have a say in what is wrong.
    connect(context, &FormContext::limitsChanged, this, &JobMore::refreshSummary);
}

void JobMore::addTo(FormGrid *grid)
{
    grid->addRow(QString(), m_line);
    grid->addWide(m_grid);
    m_line->setBody(m_grid);
}

void JobMore::buildWork()
{
    m_work = new TextField(m_context, {k("extras"), k("trainyard"), k("work")});
    m_work->edit()->setObjectName(QStringLiteral("jobWork"));
    auto *choose = pathButton(QStringLiteral("jobWorkChoose"), tr("Choose the work folder"));
    connect(choose, &QToolButton::clicked, this, &JobMore::chooseWork);
    m_work->setLabel(m_grid->addRow(tr("Work folder"), besidePathButton(m_work, choose)));
}

void JobMore::buildTimeLimit()
{
    constexpr qint64 longest = qint64(10) * 365 * 86'400, step = 600;
    m_timeLimit = new NumberField(m_context, timeLimitPath());
    m_timeLimit->box()->setObjectName(QStringLiteral("jobTimeLimit"));
    m_timeLimit->box()->setRange(1, longest);
    m_timeLimit->box()->setCharacters(12);
    m_timeLimit->box()->setParser(parseSpan, formatSpan, step);
    m_timeLimit->box()->setDefault(0, tr("none"));
    m_grid->addField(tr("Time limit"), m_timeLimit);
}

void JobMore::buildQueue()
{
    m_queue = new Disclosure(QString());
    m_queue->setObjectName(QStringLiteral("queueDisclosure"));
    m_queue->setAccessibleName(tr("Queue"));
    m_grid->addRow(tr("Queue"), m_queue);
    auto *queue = new FormGrid;
    auto *cluster = new ChoiceField(m_context, queuePath(), tr("default"));
    cluster->combo()->setObjectName(QStringLiteral("jobQueue"));
    cluster->setChoices([this] {
        QStringList names = QStringList{k("default")} + m_context->knownClusters().queues;
        names.removeDuplicates();
        return names;
    });
    queue->addField(tr("Queue"), cluster);
    auto *priority = new WordField(m_context, priorityPath(),
        {{QString(), tr("not set")}, {k("prod"), tr("production")}, {k("test"), tr("test")},
            {k("oppo"), tr("when there is room")}, {k("crit"), tr("critical")}});
    priority->combo()->setObjectName(QStringLiteral("jobPriority"));
    queue->addField(tr("Priority"), priority);
    auto *gang = new CheckField(m_context, gangPath(), tr("Start all tasks together"), true);
    gang->box()->setObjectName(QStringLiteral("jobGang"));
    gang->setHelp(tr("Otherwise each task starts as soon as there is room, and task retries count."));
    queue->addField(QString(), gang);
    m_grid->addWide(queue);
    m_queue->setBody(queue);
}

void JobMore::buildAbout()
{
    m_about = new Disclosure(QString());
    m_about->setObjectName(QStringLiteral("aboutDisclosure"));
    m_about->setAccessibleName(tr("About"));
    m_grid->addRow(tr("About"), m_about);
    auto *about = new FormGrid;
    auto *description = new TextAreaField(m_context, {k("description")}, tr("What this job is for"));
    description->edit()->setObjectName(QStringLiteral("jobDescription"));
    about->addField(tr("Description"), description);
    auto *contributor = new TextField(m_context, {k("contributor")});
    contributor->edit()->setObjectName(QStringLiteral("jobContributor"));
    about->addField(tr("Contributor"), contributor);
    auto *version = new TextField(m_context, {k("version")}, tr("latest"));
    version->edit()->setObjectName(QStringLiteral("jobVersion"));
    about->addField(tr("Version"), version);
    auto *protocol = new NumberField(m_context, {k("protocolVersion")});
    protocol->box()->setObjectName(QStringLiteral("jobProtocol"));
    protocol->box()->setRange(2, 2);
    protocol->box()->setDefault(2, tr("missing"));
    about->addField(tr("Protocol"), protocol);
    auto *kind = new WordField(m_context, {k("type")}, {{QString(), tr("not set")}, {k("job"), tr("job")}});
    kind->combo()->setObjectName(QStringLiteral("jobType"));
    about->addField(tr("Type"), kind);
    m_grid->addWide(about);
    m_about->setBody(about);
}

// Where commands start when the job names no folder is said where one would name it.
void JobMore::refreshWork()
{
    // As a whole path: a path with ~/ names a folder of the host, which is not copied.
    const QString folder = m_context->folder();
    const bool isNamed = m_context->node(m_work->path()) != nullptr;
    const bool isOfHost
        = !m_context->runsHere() && m_context->text(m_work->path()).value_or(QString()).startsWith(u"~/");
    m_work->edit()->setPlaceholderText(
        folder.isEmpty() ? tr("an empty folder for each task") : tr("%1, the folder of the file").arg(folder));
    m_work->setHelp(
        folder.isEmpty() && !isNamed ? tr(
            "The job has not been saved to a file yet: its tasks start in an empty folder and see none of your files.")
            : isOfHost ? tr("A folder that begins with ~/ is the host's own: it must exist there, and nothing is "
                            "copied into it. Write the whole path to have this computer's folder copied.")
                       : QString());
    refreshSummary();
}

// Values for all roles are useful if there are several roles, or if they are set.
void JobMore::refreshHosts()
{
    const QStringList rules = m_context->keys(hostRulesPath());
    const QStringList roles = m_context->keys(rolesPath());
    const bool isOfUse = roles.size() > 1
        || std::any_of(rules.cbegin(), rules.cend(), [&roles](const QString &rule) { return !roles.contains(rule); });
    if (!isOfUse) {
        m_hosts->line()->setOpen(false);
    }
    m_grid->setRowVisible(m_hosts->line(), isOfUse);
    m_hosts->refresh();
}

void JobMore::chooseWork()
{
    const QString named = m_context->text(m_work->path()).value_or(QString());
    choosePath(*m_context, m_form, tr("Work folder"), PathKind::Folder, named, [this](const QString &chosen) {
        if (QDir::cleanPath(chosen) == QDir::cleanPath(m_context->folder())) {
            m_context->edit(
                m_context->node(m_work->path()) ? QList<edit::Op>{edit::Remove{m_work->path()}} : QList<edit::Op>{});
        } else {
            m_context->edit({edit::SetText{m_work->path(), chosen}});
        }
    });
}

void JobMore::refresh()
{
    refreshWork();
    refreshHosts();
    m_data->refresh();
    m_results->refresh();
    m_queue->setSummary(queueText());
    const QString about = aboutText();
    m_about->setSummary(about.isEmpty() ? tr("description, contributor, version") : about);
}

void JobMore::showPlace(const YamlPath &path)
{
    if (path.startsWith(dataPath()) && path.size() > dataPath().size()) {
        if (const auto *name = std::get_if<QString>(&path.at(dataPath().size()))) {
            m_data->select(*name);
        }
    }
}

QString JobMore::text(const YamlPath &path) const { return m_context->text(path).value_or(QString()).simplified(); }

QString JobMore::queueText() const
{
    const QString cluster = text(queuePath());
    QStringList words{cluster.isEmpty() ? tr("default") : cluster};
    if (const QString priority = text(priorityPath()); !priority.isEmpty()) {
        words.append(priority);
    }
    if (text(gangPath()) == u"false") {
        words.append(tr("tasks start independently"));
    }
    return words.join(QStringLiteral(", "));
}

QString JobMore::aboutText() const
{
    QStringList first;
    for (const char *key : {"contributor", "version"}) {
        if (const QString value = text({k(key)}); !value.isEmpty()) {
            first.append(value);
        }
    }
    QStringList parts{first.join(QStringLiteral(", ")), text({k("description")})};
    parts.removeAll(QString());
    return parts.join(betweenParts());
}

// Only values that the job has. Problems come first, and long texts last, because a narrow form cuts off the end.
QString JobMore::summary(int problems) const
{
    QStringList parts;
    if (problems > 0) {
        parts.append(tr("%n problem(s)", nullptr, problems));
    }
    if (const QString folder = text(m_work->path()); !folder.isEmpty()) {
        parts.append(tr("work folder: %1").arg(folder));
    } else if (m_context->folder().isEmpty()) {
        parts.append(tr("starts in an empty folder"));
    }
    if (const std::optional<qint64> seconds = m_timeLimit->documentValue()) {
        parts.append(tr("time limit: %1").arg(formatSpan(*seconds)));
    }
    const QString queue = queueText();
    if (queue != tr("default")) {
        parts.append(tr("queue: %1").arg(queue));
    }
    if (m_context->node(hostRulesPath().child(k("*")))) {
        parts.append(tr("hosts: %1").arg(m_hosts->line()->summary()));
    }
    if (const qsizetype sets = m_context->keys(dataPath()).size(); sets > 0) {
        parts.append(tr("%n data set(s)", nullptr, int(sets)));
    }
    if (m_context->node(resultsPath())) {
        parts.append(tr("results: %1").arg(m_results->line()->summary()));
    }
    if (const QString about = aboutText(); !about.isEmpty()) {
        parts.append(about);
    }
    return parts.isEmpty() ? tr("work folder, time limit, queue, hosts, data, results, description")
                           : parts.join(betweenParts());
}

void JobMore::refreshSummary()
{
    int problems = 0;
    auto worst = Severity::Note;
    for (const Diagnostic &diagnostic : m_context->diagnostics()) {
        const FormField *field = diagnostic.severity == Severity::Note ? nullptr : m_context->fieldAt(diagnostic.path);
        if (field && m_grid->isAncestorOf(field)) {
            ++problems;
            worst = std::min(worst, diagnostic.severity);
        }
    }
    m_line->setSummary(summary(problems));
    m_line->setMark(worst);
}

} // namespace trainyard
