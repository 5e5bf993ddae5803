// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweepform.h"

#include "model/base/shortnumber.h"
#include "widgets/common/elidedcheckbox.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/text/texts.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <limits>

namespace trainyard
{
namespace
{

constexpr int valuesWidth = 260;
constexpr int numberWidth = 96;

QLabel *sweepLabel(const QString &text, QWidget *buddy)
{
    QLabel *label = mutedLabel(text);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    label->setBuddy(buddy);
    return label;
}

// Below a field: its problem, or its meaning. A text that does not fit is also shown at the right.
ElidedLabel *sweepNote()
{
    auto *note = new ElidedLabel;
    note->setFont(fonts::small());
    note->setElideMode(Qt::ElideRight);
    note->setFixedHeight(note->fontMetrics().height());
    note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return note;
}

template <typename Note> void setSweepNote(Note *note, const QString &text, bool isWrong)
{
    note->setText(text);
    note->setColour(isWrong ? Colour::Failed : Colour::Muted);
}

// Values as they may be written for a parameter of this kind.
QString exampleFor(const Value &known)
{
    return known.asInt()   ? QStringLiteral("16, 32, 64")
        : known.asDouble() ? QStringLiteral("1e-4..1e-1:log:4")
        : known.asBool()   ? QStringLiteral("true, false")
                           : QStringLiteral("adam, sgd");
}

// The whole problem; the correct form is at the right, where there is room.
QString firstSentence(const QString &text)
{
    const qsizetype end = text.indexOf(QStringLiteral(". "));
    return end < 0 ? text : text.first(end + 1);
}

// The value of the text if no values are typed.
QString documentNote(const QString &value)
{
    return value.isEmpty() ? SweepForm::tr("Empty in the document") : SweepForm::tr("%1 in the document").arg(value);
}

// The note for values that are drawn at random: a range with a count gives its ends only.
QString drawnNote(const SweepAxis::Bounds &bounds)
{
    const QString from = shortNumber(bounds.from), to = shortNumber(bounds.to);
    return bounds.isWhole && bounds.isLog ? SweepForm::tr("Any whole number from %1 to %2, by magnitude").arg(from, to)
        : bounds.isWhole                  ? SweepForm::tr("Any whole number from %1 to %2").arg(from, to)
        : bounds.isLog                    ? SweepForm::tr("Any value from %1 to %2, by magnitude").arg(from, to)
                                          : SweepForm::tr("Any value from %1 to %2").arg(from, to);
}

QSpinBox *numberBox(int least, int most, int value, const QString &name)
{
    auto *box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setMinimumWidth(numberWidth);
    box->setAccessibleName(name);
    return box;
}

} // namespace

QStringList ruleNotes(const RuleEffect &effect)
{
    if (!effect.rule) {
        return {};
    }
    QStringList notes;
    if (effect.isUnknown) {
        notes.append(effect.meant.isEmpty() ? SweepForm::tr("No former run has a metric %1.").arg(effect.rule->metric)
                                            : SweepForm::tr("No former run has a metric %1; did you mean %2?")
                                                  .arg(effect.rule->metric, effect.meant));
    }
    if (effect.rareRuns > 0) {
        notes.append((effect.rareRuns == 1 ? SweepForm::tr("Only %1 of %2 former runs has a metric %3.")
                                           : SweepForm::tr("Only %1 of %2 former runs have a metric %3."))
                         .arg(QString::number(effect.rareRuns), QString::number(effect.allRuns), effect.rule->metric));
    }
    if (effect.isIdle) {
        notes.append(SweepForm::tr("Stops no job: it takes %1 jobs or more.").arg(fewestOthers + 1));
    }
    // The direction follows from the name unless the rule says it.
    const QString direction = (effect.rule->isLessBetter ? SweepForm::tr("Of %1, less is better.")
                                                         : SweepForm::tr("Of %1, more is better."))
                                  .arg(effect.rule->metric);
    const QString when = SweepForm::tr("A job is judged once %1 others have reached step %2.")
                             .arg(QString::number(fewestOthers), Value(effect.rule->step).toText());
    notes.append(QString(direction + u' ' + when));
    return notes;
}

SweepForm::SweepForm(const SweepDraft &draft, QWidget *parent) : QWidget(parent), m_draft(draft)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(metrics::labelGap);
    grid->setVerticalSpacing(metrics::space1);
    grid->setColumnStretch(1, 1);
    addParameters(grid);
    grid->setRowMinimumHeight(grid->rowCount(), metrics::space3);
    addCombination(grid);
    addGroup(grid);
    grid->setRowStretch(grid->rowCount(), 1);
}

void SweepForm::addParameters(QGridLayout *grid)
{
    for (const SweepDraft::Row &each : std::as_const(m_draft.rows)) {
        const int line = grid->rowCount();
        Row row;
        row.name = new ElidedCheckBox(each.name);
        row.name->setObjectName(QStringLiteral("sweep-") + each.name);
        row.name->setChecked(each.isSwept);
        row.values = new QLineEdit(each.text);
        row.values->setObjectName(QStringLiteral("values-") + each.name);
        row.values->setMinimumWidth(valuesWidth);
        row.values->setPlaceholderText(tr("Such as %1").arg(exampleFor(each.known)));
        row.values->setAccessibleName(tr("Values of %1").arg(each.name));
        row.values->setToolTip(tr("A list such as 16,32, a range such as 0..1:0.25, or one by magnitude such as "
                                  "1e-4..1e-1:log:5"));
        row.note = sweepNote();
        grid->addWidget(row.name, line, 0);
        grid->addWidget(row.values, line, 1);
        grid->addWidget(row.note, line + 1, 1);
        // Typed values are used; clearing the tick removes them without losing the text.
        connect(row.values, &QLineEdit::textChanged, this, [this, box = row.name](const QString &text) {
            const QSignalBlocker quiet(box);
            box->setChecked(!text.isEmpty());
            read();
        });
        connect(row.name, &QCheckBox::toggled, this, [this, values = row.values](bool on) {
            if (on) {
                values->setFocus();
            }
            read();
        });
        m_rows.append(row);
    }
}

void SweepForm::addCombination(QGridLayout *grid)
{
    m_kind = new SegmentedControl({tr("All combinations"), tr("In pairs"), tr("Random")});
    m_kind->setObjectName(QStringLiteral("sweepKind"));
    m_kind->setAccessibleName(tr("How the values are combined"));
    m_kind->setCurrentIndex(int(m_draft.kind));
    int line = grid->rowCount();
    grid->addWidget(sweepLabel(tr("Combine"), m_kind), line, 0);
    grid->addWidget(m_kind, line, 1, Qt::AlignLeft);
    m_random = new QWidget;
    auto *random = new QHBoxLayout(m_random);
    random->setContentsMargins(0, 0, 0, 0);
    random->setSpacing(metrics::space2);
    m_count = numberBox(1, int(mostSweepJobs), m_draft.count, tr("Number of random jobs"));
    m_count->setObjectName(QStringLiteral("sweepCount"));
    m_seed = numberBox(0, std::numeric_limits<int>::max(), int(m_draft.seed), tr("Seed"));
    m_seed->setObjectName(QStringLiteral("sweepSeed"));
    m_seed->setToolTip(tr("The same seed draws the same values"));
    random->addWidget(m_count);
    random->addWidget(mutedLabel(tr("jobs, seed")));
    random->addWidget(m_seed);
    random->addStretch(1);
    line = grid->rowCount();
    grid->addWidget(m_random, line, 1);
    m_random->setVisible(m_draft.kind == SweepKind::Random);
    connect(m_kind, &SegmentedControl::currentChanged, this, &SweepForm::read);
    connect(m_count, &QSpinBox::valueChanged, this, &SweepForm::read);
    connect(m_seed, &QSpinBox::valueChanged, this, &SweepForm::read);
}

void SweepForm::addGroup(QGridLayout *grid)
{
    m_limit = numberBox(0, int(mostSweepJobs), m_draft.limit, tr("Jobs at a time"));
    m_limit->setObjectName(QStringLiteral("sweepLimit"));
    m_limit->setSpecialValueText(tr("Any number"));
    m_limit->setMinimumWidth(numberWidth + m_limit->fontMetrics().horizontalAdvance(m_limit->specialValueText()) / 2);
    int line = grid->rowCount();
    grid->addWidget(sweepLabel(tr("At a time"), m_limit), line, 0);
    grid->addWidget(m_limit, line, 1, Qt::AlignLeft);
    m_rule = new QLineEdit(m_draft.stopWorse);
    m_rule->setObjectName(QStringLiteral("sweepRule"));
    m_rule->setPlaceholderText(tr("A metric and a step, such as loss@100"));
    m_rule->setAccessibleName(tr("Stop the worse jobs"));
    m_rule->setToolTip(tr("Stops a job when its best value up to this step is worse than the median of the others; "
                          "'-' in front says that less is better, '+' that more is"));
    m_ruleNote = sweepNote();
    line = grid->rowCount();
    grid->addWidget(sweepLabel(tr("Stop worse jobs"), m_rule), line, 0);
    grid->addWidget(m_rule, line, 1);
    grid->addWidget(m_ruleNote, line + 1, 1);
    m_group = new QLineEdit(m_draft.group);
    m_group->setObjectName(QStringLiteral("sweepGroup"));
    m_group->setAccessibleName(tr("Name of the group"));
    m_groupNote = new ColourLabel({}, Colour::Muted);
    m_groupNote->setObjectName(QStringLiteral("sweepGroupNote"));
    m_groupNote->setTextFormat(Qt::PlainText);
    m_groupNote->setFont(fonts::small());
    m_groupNote->setWordWrap(true);
    line = grid->rowCount();
    grid->addWidget(sweepLabel(tr("Group"), m_group), line, 0);
    grid->addWidget(m_group, line, 1);
    grid->addWidget(m_groupNote, line + 1, 1);
    connect(m_limit, &QSpinBox::valueChanged, this, &SweepForm::read);
    connect(m_rule, &QLineEdit::textChanged, this, &SweepForm::read);
    connect(m_group, &QLineEdit::textChanged, this, &SweepForm::read);
}

void SweepForm::focusFirst()
{
    if (!m_rows.isEmpty()) {
        m_rows.constFirst().values->setFocus();
    }
}

void SweepForm::read()
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        m_draft.rows[i].isSwept = m_rows.at(i).name->isChecked();
        m_draft.rows[i].text = m_rows.at(i).values->text();
    }
    m_draft.kind = SweepKind(m_kind->currentIndex());
    m_random->setVisible(m_draft.kind == SweepKind::Random);
    m_draft.count = m_count->value();
    m_draft.seed = quint64(m_seed->value());
    m_draft.limit = m_limit->value();
    m_draft.stopWorse = m_rule->text().trimmed();
    m_draft.group = m_group->text().trimmed();
    Q_EMIT changed();
}

void SweepForm::showGroup(const QString &made)
{
    if (made != m_draft.group) {
        setSweepNote(m_groupNote, breakable(tr("%1 has jobs already: this one is %2").arg(m_draft.group, made)), false);
    }
}

void SweepForm::showPreview(const SweepPreview &preview)
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const std::optional<Error> &error = preview.ofRows.at(i);
        const qsizetype count = preview.counts.at(i);
        const std::optional<SweepAxis::Bounds> &drawn = preview.drawn.at(i);
        setSweepNote(m_rows.at(i).note,
            error                       ? firstSentence(errorText(*error))
                : drawn                 ? drawnNote(*drawn)
                : preview.rounded.at(i) ? tr("%1 values, rounded to whole numbers").arg(count)
                : count > 1             ? tr("%1 values").arg(count)
                                        : documentNote(m_draft.rows.at(i).known.toText()),
            error.has_value());
    }
    const RuleEffect effect = effectOfRule(m_draft, preview.points.size());
    const QStringList notes = ruleNotes(effect);
    setSweepNote(m_ruleNote,
        preview.ofRule        ? firstSentence(errorText(*preview.ofRule))
            : notes.isEmpty() ? QString()
                              : notes.constFirst(),
        preview.ofRule.has_value());
    if (effect.isUnknown || effect.rareRuns > 0 || effect.isIdle) {
        m_ruleNote->setColour(Colour::Waiting);
    }
    setSweepNote(
        m_groupNote, preview.ofGroup ? breakable(firstSentence(errorText(*preview.ofGroup))) : QString(), true);
}

} // namespace trainyard
