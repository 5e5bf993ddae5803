// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/resultsfields.h"

#include "model/base/memorytext.h"
#include "model/protocol/jobspec.h"
#include "widgets/common/flowlayout.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/pathchoice.h"
#include "widgets/form/wordsfield.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qint64 mostMiB = qint64(1) << 30;
constexpr qint64 stepMiB = 100;

NumberField *sizeField(FormContext *context, const char *key, const char *name, qint64 usual)
{
    auto *field = new NumberField(context, resultsPath().child(k(key)));
    field->box()->setObjectName(QLatin1String(name));
    field->box()->setRange(1, mostMiB);
    field->box()->setCharacters(9);
    field->box()->setParser([](const QString &text) { return parseMemory(text, false); }, formatMemory, stepMiB);
    field->box()->setDefault(usual);
    return field;
}

} // namespace

const YamlPath &resultsPath()
{
    static const YamlPath path{k("extras"), k("trainyard"), k("results")};
    return path;
}

ResultsFields::ResultsFields(FormContext *context, QObject *parent)
    : QObject(parent), m_context(context), m_line(new Disclosure(QString())), m_grid(new FormGrid)
{
    m_line->setObjectName(QStringLiteral("jobResults"));
    m_files = new WordsField(context, resultsPath(),
        {QStringLiteral("resultFile"), QStringLiteral("document"), tr("Add a pattern of files"),
            tr("such as metrics.csv or checkpoints/**"), false});
    m_files->setCovers([this](const YamlPath &place) { return covers(place); });
    m_files->setEmptyHelp(tr("Patterns of paths in the folder that tasks start in: “*” stands for any part of a name, "
                             "“**” for any folders, and “out/” for all that is in out."));
    m_grid->addField(tr("Files"), m_files);
    m_to = new TextField(context, resultsPath().child(k("to")), tr("results, beside the job's file"));
    m_to->edit()->setObjectName(QStringLiteral("resultsTo"));
    auto *choose = pathButton(QStringLiteral("resultsToChoose"), tr("Choose the folder for the results"));
    connect(choose, &QToolButton::clicked, this, &ResultsFields::chooseFolder);
    m_toRow = besidePathButton(m_to, choose);
    m_to->setLabel(m_grid->addRow(tr("Come to"), m_toRow));
    m_when = new WordField(context, resultsPath().child(k("when")),
        {{QString(), tr("when a task has ended")}, {k("during"), tr("also while it runs")}});
    m_when->combo()->setObjectName(QStringLiteral("resultsWhen"));
    m_grid->addField(tr("When"), m_when);
    const ResultsRule usual;
    m_largest = sizeField(context, "maxFileMB", "resultsLargest", usual.maxFileMB);
    m_most = sizeField(context, "maxMB", "resultsMost", usual.maxMB);
    auto *messages = new FieldMessages(context);
    m_limits = new QWidget;
    auto *limits = new QVBoxLayout(m_limits);
    limits->setContentsMargins(0, 0, 0, 0);
    limits->setSpacing(0);
    auto *flowHost = new QWidget;
    auto *flow = new FlowLayout(metrics::space2, flowHost);
    flow->setContentsMargins(0, 0, 0, 0);
    for (const auto &[field, text] : {std::pair(m_largest, tr("of one file")), std::pair(m_most, tr("of one task"))}) {
        field->setMessages(messages);
        QLabel *words = rowLabel(text, field->box());
        field->setLabel(words);
        QWidget *group = beside({field, words});
        group->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        flow->addWidget(group);
    }
    limits->addWidget(flowHost);
    auto *rest = smallMutedLabel(tr("What is larger stays on the host until you bring it by hand."));
    rest->setWordWrap(true);
    rest->setContentsMargins(0, 3, 0, 0);
    limits->addWidget(rest);
    limits->addWidget(messages);
    m_grid->addRow(tr("At most"), m_limits);
}

void ResultsFields::addTo(FormGrid *grid)
{
    m_line->setAccessibleName(tr("Results"));
    grid->addRow(tr("Results"), m_line);
    grid->addWide(m_grid);
    m_line->setBody(m_grid);
}

bool ResultsFields::isInFull() const
{
    const YamlNode *node = m_context->node(resultsPath());
    return node && node->isMap();
}

// The whole, and keys of it that have no field.
bool ResultsFields::covers(const YamlPath &place) const
{
    if (!place.startsWith(resultsPath())) {
        return false;
    }
    const qsizetype depth = resultsPath().size();
    const auto *key = place.size() > depth ? std::get_if<QString>(&place.at(depth)) : nullptr;
    static const QStringList others{k("to"), k("when"), k("maxFileMB"), k("maxMB")};
    return !key || !others.contains(*key);
}

void ResultsFields::chooseFolder()
{
    const QString named = m_context->text(m_to->path()).value_or(QString());
    choosePath(
        *m_context, m_line, tr("Folder for the results"), PathKind::Folder, named, [this](const QString &chosen) {
            m_context->edit({edit::SetText{m_to->path(), pathForDocument(*m_context, chosen)}});
        });
}

QString ResultsFields::summary() const
{
    const QStringList files = m_files->words();
    if (files.isEmpty()) {
        return tr("no files come back by themselves");
    }
    const QString to = m_context->text(resultsPath().child(k("to"))).value_or(QString());
    const QString listed = files.join(QStringLiteral(", "));
    QStringList parts{to.isEmpty() ? listed : tr("%1 to %2").arg(listed, to)};
    if (m_context->text(resultsPath().child(k("when"))) == k("during")) {
        parts.append(tr("also while it runs"));
    }
    return parts.join(QStringLiteral(", "));
}

void ResultsFields::refresh()
{
    m_files->setPath(isInFull() ? resultsPath().child(k("files")) : resultsPath());
    m_line->setSummary(summary());
    const bool some = !m_files->words().isEmpty();
    const auto isUsed = [&](const FormField *field) { return some || m_context->node(field->path()) != nullptr; };
    m_grid->setRowVisible(m_toRow, isUsed(m_to));
    m_grid->setRowVisible(m_when, isUsed(m_when));
    m_grid->setRowVisible(m_limits, isUsed(m_largest) || isUsed(m_most));
    openForProblems();
}

void ResultsFields::openForProblems()
{
    const QList<Diagnostic> &all = m_context->diagnostics();
    const auto problems = std::count_if(all.cbegin(), all.cend(),
        [](const Diagnostic &each) { return each.severity != Severity::Note && each.path.startsWith(resultsPath()); });
    m_line->setProblems(int(problems));
}

} // namespace trainyard
