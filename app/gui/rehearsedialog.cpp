// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/rehearsedialog.h"

#include "model/sweep/sweepaxis.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/form/fields.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/timespans.h"
#include "widgets/text/rehearsaltexts.h"
#include "widgets/text/texts.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qint64 longestSeconds = qint64(365) * 86'400;
constexpr qint64 stepSeconds = 300;
constexpr int usualWidth = 480;
constexpr int mostFieldsHeight = 320, leastFieldsHeight = 160;

// A parameter of one line; others are not typed here.
bool isTypable(const Value &value)
{
    return (value.isNull() || value.asString() || value.asInt() || value.asDouble() || value.asBool())
        && !value.toText().contains(u'\n');
}

} // namespace

RehearseDialog::RehearseDialog(const ParseOutcome &job, const QString &place, QWidget *parent)
    : QDialog(parent), m_job(job), m_time(new NumberBox), m_changes(mutedLabel({}))
{
    setObjectName(QStringLiteral("rehearseDialog"));
    setWindowTitle(tr("Rehearse the job"));
    setAttribute(Qt::WA_DeleteOnClose);
    const JobSpec &spec = *m_job.spec;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(metrics::space4, metrics::space4, metrics::space4, metrics::space4);
    layout->setSpacing(metrics::space3);
    layout->addWidget(nameHeading(tr("Rehearse %1").arg(spec.name), spec.name));
    auto *about = mutedLabel(
        tr("One task of each role runs once, for a short time, on %1. After that, Submit the original starts the whole "
           "job where you choose.")
            .arg(place));
    about->setWordWrap(true);
    layout->addWidget(about);

    auto *grid = new FormGrid;
    m_time->setObjectName(QStringLiteral("rehearseTime"));
    m_time->setAccessibleName(tr("Time limit"));
    m_time->setRange(1, longestSeconds);
    m_time->setCharacters(12);
    m_time->setParser(parseSpan, formatSpan, stepSeconds);
    m_time->setDefault(RehearsalWishes().seconds);
    grid->addRow(tr("Time limit"), beside({m_time}));
    const bool hasGpus = std::any_of(
        spec.taskRoles.cbegin(), spec.taskRoles.cend(), [](const TaskRole &role) { return role.resources.gpu > 0; });
    if (hasGpus) {
        m_gpus = new NumberBox;
        m_gpus->setObjectName(QStringLiteral("rehearseGpus"));
        m_gpus->setAccessibleName(tr("GPUs of a task"));
        m_gpus->setRange(0, 1000);
        m_gpus->setDefault(1000, tr("as in the job"));
        grid->addRow(tr("GPUs, at most"), beside({m_gpus}));
        connect(m_gpus, &NumberBox::typed, this, &RehearseDialog::update);
        connect(m_gpus, &NumberBox::stepped, this, &RehearseDialog::update);
    }
    auto *others = mutedLabel(tr("Other values of parameters, such as fewer epochs:"));
    grid->addWide(others);
    for (const auto &[name, value] : spec.parameters.asMap() ? *spec.parameters.asMap() : Value::Map()) {
        if (!isTypable(value)) {
            continue;
        }
        auto *field = new QLineEdit;
        field->setObjectName(QStringLiteral("rehearse-") + name);
        field->setAccessibleName(name);
        field->setPlaceholderText(value.toText());
        grid->addRow(name, field);
        m_parameters.insert(name, field);
        connect(field, &QLineEdit::textChanged, this, &RehearseDialog::update);
    }
    others->setVisible(!m_parameters.isEmpty());
    auto *area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(grid);
    area->setMaximumHeight(std::min(grid->sizeHint().height() + metrics::space2, mostFieldsHeight));
    area->setMinimumHeight(std::min(area->maximumHeight(), leastFieldsHeight));
    layout->addWidget(area);
    m_changes->setObjectName(QStringLiteral("rehearseChanges"));
    m_changes->setWordWrap(true);
    m_changes->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_changes);
    layout->addStretch(1);
    auto *box = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_run = box->addButton(tr("Rehearse"), QDialogButtonBox::AcceptRole);
    setButtonKind(m_run, ButtonKind::Primary);
    layout->addWidget(box);
    setMinimumWidth(usualWidth);
    connect(m_time, &NumberBox::typed, this, &RehearseDialog::update);
    connect(m_time, &NumberBox::stepped, this, &RehearseDialog::update);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(box, &QDialogButtonBox::accepted, this, [this] {
        if (const Result<RehearsalWishes> wanted = wishes()) {
            Q_EMIT rehearsed(*wanted);
            accept();
        }
    });
    update();
}

Result<RehearsalWishes> RehearseDialog::wishes() const
{
    RehearsalWishes wanted;
    const std::optional<qint64> seconds = m_time->value();
    if (!seconds || *seconds < 1 || *seconds > longestSeconds) {
        return fail(QStringLiteral("value.not-a-span"), {});
    }
    wanted.seconds = *seconds;
    if (m_gpus && !m_gpus->text().trimmed().isEmpty()) {
        const std::optional<qint64> most = m_gpus->value();
        if (!most || *most < 0) {
            return fail(QStringLiteral("value.not-a-number"), {});
        }
        wanted.mostGpus = *most;
    }
    for (auto it = m_parameters.cbegin(); it != m_parameters.cend(); ++it) {
        const QString text = it.value()->text();
        if (text.isEmpty()) {
            continue;
        }
        const Value *known = m_job.spec->parameters.find(it.key());
        if (const std::optional<Error> other = known ? otherType(it.key(), *known, text) : std::nullopt) {
            return tl::unexpected<Error>(*other);
        }
        wanted.parameters.insert(it.key(), text);
    }
    return wanted;
}

void RehearseDialog::update()
{
    const Result<RehearsalWishes> wanted = wishes();
    const Result<Rehearsal> rehearsal = wanted ? rehearsalOf(*m_job.spec, m_job.document, *wanted)
                                               : Result<Rehearsal>(tl::unexpected<Error>(wanted.error()));
    m_run->setEnabled(rehearsal.has_value());
    m_shown.clear();
    if (!rehearsal) {
        const QString &code = rehearsal.error().code;
        m_changes->setText(code == QLatin1StringView("value.not-a-span")
                ? tr("Write the time limit as a number of seconds, or such as 10 min or 1.5 h.")
                : code == QLatin1StringView("value.not-a-number") ? tr("Write the GPUs as a whole number.")
                                                                  : errorText(rehearsal.error()));
        return;
    }
    for (const RehearsalChange &change : rehearsal->changes) {
        m_shown.append(rehearsalChangeText(change));
    }
    m_changes->setText(tr("It differs from the job in this:") + u"\n• "_s + m_shown.join(u"\n• "_s));
}

} // namespace trainyard
