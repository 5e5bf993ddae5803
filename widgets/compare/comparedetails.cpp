// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparedetails.h"

#include "engine/api/jobfacts.h"
#include "widgets/common/clocktext.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/compare/runpick.h"
#include "widgets/diff/diffview.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/formats.h"

#include <QCheckBox>
#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QTreeWidget>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr qsizetype longestTip = 2000;
constexpr int factNameWidth = 260;
constexpr int pickShare = 20; // of the room, beside 1 for none

// The names have what they need, up to a third; both runs share the rest.
class FactTable : public QTreeWidget
{
protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QTreeWidget::resizeEvent(event);
        header()->resizeSection(0, std::min(factNameWidth, viewport()->width() / 3));
    }
};

QTreeWidget *makeFactTable(const QString &name)
{
    auto *facts = new FactTable;
    facts->setObjectName(name);
    setTableLook(facts);
    facts->setColumnCount(3);
    facts->setSelectionMode(QAbstractItemView::ExtendedSelection);
    facts->header()->setStretchLastSection(false);
    for (const int column : {1, 2}) {
        facts->header()->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    return facts;
}

// Where one of them is not known, they do not differ.
void addFactRow(
    QTreeWidget *facts, const QString &title, const QString &first, const QString &second, bool areKnown = true)
{
    auto *item = new QTreeWidgetItem({title, factValue(first), factValue(second)});
    for (int column = 0; column < 3; ++column) {
        const QString &whole = column == 0 ? title : column == 1 ? first : second;
        item->setToolTip(column, plainTip(whole.first(std::min(whole.size(), longestTip))));
        if (column > 0 && first != second && areKnown) {
            item->setFont(column, fonts::semibold());
        }
    }
    facts->addTopLevelItem(item);
}

} // namespace

CompareDetails::CompareDetails(CompareRuns *runs, QWidget *parent)
    : QWidget(parent), m_runs(runs), m_tabs(new QTabBar), m_first(new RunPick), m_second(new RunPick),
      m_all(new QCheckBox(tr("Equal ones, too"))), m_stack(new QStackedWidget), m_diff(new DiffView),
      m_empty(new EmptyState), m_settings(makeFactTable(QStringLiteral("compareSettings"))),
      m_else(makeFactTable(QStringLiteral("compareElse")))
{
    auto *head = new Ground(Colour::Surface);
    head->setBorders(Qt::TopEdge | Qt::BottomEdge);
    head->setFixedHeight(metrics::paneHead);
    auto *tabs = new QHBoxLayout(head);
    tabs->setContentsMargins(metrics::space1, 0, metrics::space2, 0);
    setTabKind(m_tabs, TabKind::Inner);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setUsesScrollButtons(true); // where they have no room
    m_tabs->addTab(tr("YAML difference"));
    m_tabs->addTab(tr("Parameters side by side"));
    m_tabs->addTab(tr("What else differed"));
    tabs->addWidget(m_tabs);
    tabs->addStretch(1);
    auto *choice = new Ground(Colour::Surface);
    choice->setBorders(Qt::BottomEdge);
    choice->setFixedHeight(metrics::row + metrics::space1);
    auto *row = new QHBoxLayout(choice);
    row->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    row->setSpacing(metrics::space2);
    for (RunPick *pick : {m_first, m_second}) {
        QLabel *sign = mutedLabel({});
        row->addWidget(sign);
        row->addWidget(pick, pickShare);
        m_signs.append(sign);
    }
    row->addStretch(1);
    row->addWidget(m_all);
    m_first->setAccessibleName(tr("First run"));
    m_second->setAccessibleName(tr("Second run"));
    m_diff->setMode(DiffView::Mode::Unified);
    m_empty->setIcon(QStringLiteral("split"));
    m_settings->setAccessibleName(m_tabs->tabText(SettingsTab));
    m_else->setAccessibleName(m_tabs->tabText(ElseTab));
    for (QWidget *page : std::initializer_list<QWidget *>{m_diff, m_settings, m_else, m_empty}) {
        m_stack->addWidget(page);
    }
    m_stack->setMinimumHeight(metrics::row); // a low page shows the table of runs first
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(choice);
    layout->addWidget(m_stack, 1);

    connect(m_tabs, &QTabBar::currentChanged, this, &CompareDetails::update);
    connect(m_all, &QCheckBox::toggled, this, &CompareDetails::update);
    connect(m_first, &QComboBox::activated, this, [this] {
        m_isFirstChosen = true;
        update();
    });
    connect(m_second, &QComboBox::activated, this, [this] {
        m_isSecondChosen = true;
        update();
    });
    connect(runs, &CompareRuns::reset, this, &CompareDetails::fillPicks);
    connect(runs, &CompareRuns::drawnChanged, this, &CompareDetails::fillPicks);
    connect(runs, &CompareRuns::valuesChanged, this, &CompareDetails::followBest);
    connect(runs, &CompareRuns::valuesChanged, this, &CompareDetails::updateUnknown);
    fillPicks();
}

qsizetype CompareDetails::picked(const RunPick *pick) const { return m_runs->indexOf(pick->currentData().toString()); }

void CompareDetails::pick(RunPick *pick, qsizetype run)
{
    if (run >= 0) {
        pick->setCurrentIndex(pick->findData(m_runs->runs().at(run).job.uuid));
    }
}

void CompareDetails::fillPicks()
{
    m_first->setRuns(*m_runs);
    m_second->setRuns(*m_runs);
    const QList<qsizetype> best = bestTwo();
    if (!m_isFirstChosen) {
        pick(m_first, best.value(0, -1));
    }
    if (!m_isSecondChosen || picked(m_first) == picked(m_second)) { // the next best is what one wants to know of
        pick(m_second, best.value(best.value(1, -1) == picked(m_first) ? 0 : 1, -1));
    }
    update();
}

// Of folded runs the best one of each of the two best rows.
QList<qsizetype> CompareDetails::bestTwo() const
{
    const QList<qsizetype> ranking = m_runs->ranking();
    QList<qsizetype> best;
    const QList<QList<qsizetype>> rows = m_runs->rankedRows();
    for (auto row = rows.cbegin(); row != rows.cend() && best.size() < 2; ++row) {
        const auto first
            = std::find_if(ranking.cbegin(), ranking.cend(), [&row](qsizetype run) { return row->contains(run); });
        if (first != ranking.cend()) {
            best.append(*first);
        }
    }
    for (const qsizetype run : ranking) { // all are one row
        if (best.size() < 2 && !best.contains(run)) {
            best.append(run);
        }
    }
    return best;
}

// As values come, others are the best.
void CompareDetails::followBest()
{
    const QList<qsizetype> best = bestTwo();
    const bool isFirst = m_isFirstChosen || best.isEmpty() || picked(m_first) == best.constFirst();
    const bool isSecond = m_isSecondChosen || m_isFirstChosen || best.size() < 2 || picked(m_second) == best.at(1);
    if (!isFirst || !isSecond) {
        fillPicks();
    }
}

void CompareDetails::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        fillPicks(); // with lines in its colours
    }
}

void CompareDetails::setOther(qsizetype run)
{
    if (run >= 0 && run != picked(m_first) && run != picked(m_second)) {
        m_isSecondChosen = true;
        pick(m_second, run);
        update();
    }
}

void CompareDetails::showTab(Tab tab) { m_tabs->setCurrentIndex(tab); }

void CompareDetails::showAll()
{
    m_all->setChecked(true);
    showTab(SettingsTab);
}

void CompareDetails::update()
{
    const int tab = m_tabs->currentIndex();
    const qsizetype first = picked(m_first), second = picked(m_second);
    for (RunPick *pick : {m_first, m_second}) {
        const qsizetype run = picked(pick);
        pick->setToolTip(plainTip(run < 0 ? QString() : captionOf(*m_runs, run).text()));
    }
    m_all->setVisible(tab != TextTab);
    // Which lines are whose: those of the left one have the sign that is at the left of it.
    m_signs.first()->setText(QStringLiteral("−"));
    m_signs.first()->setVisible(tab == TextTab);
    m_signs.last()->setText(tab == TextTab ? QStringLiteral("+") : tr("and"));
    if (first < 0 || second < 0 || first == second) {
        m_empty->setText(tr("Two runs are needed to show what differs between them."));
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    const CompareRun &one = m_runs->runs().at(first), &other = m_runs->runs().at(second);
    if (tab == TextTab) {
        m_diff->setTexts(one.yaml, other.yaml);
        if (one.yaml.isEmpty() || other.yaml.isEmpty() || one.yaml == other.yaml) {
            const bool isForeignOne = isForeign(one.job.uuid);
            m_empty->setText(isForeignOne || isForeign(other.job.uuid)
                    ? tr("%1 was read from files. It has no text to compare.")
                          .arg(m_runs->label(isForeignOne ? first : second))
                    : one.yaml.isEmpty() || other.yaml.isEmpty() ? tr("The text of these runs has not been read yet.")
                                                                 : tr("The texts of both runs are the same."));
            m_stack->setCurrentWidget(m_empty);
        } else {
            m_stack->setCurrentWidget(m_diff);
        }
        return;
    }
    QTreeWidget *facts = tab == SettingsTab ? m_settings : m_else;
    facts->clear();
    facts->setHeaderLabels({tr("What"), m_runs->label(first), m_runs->label(second)});
    if (tab == SettingsTab) {
        fillFacts(facts, {CompareFact::Kind::Parameter, CompareFact::Kind::Configuration}, first, second);
    } else {
        addTimes(first, second);
        fillFacts(facts, {CompareFact::Kind::Run, CompareFact::Kind::Environment}, first, second);
    }
    m_stack->setCurrentWidget(facts);
    if (facts->topLevelItemCount() == 0) {
        m_empty->setText(
            tab == SettingsTab ? tr("The settings of both runs are the same.") : tr("Nothing else differed."));
        m_stack->setCurrentWidget(m_empty);
    }
}

void CompareDetails::fillFacts(
    QTreeWidget *facts, const QList<CompareFact::Kind> &kinds, qsizetype first, qsizetype second)
{
    for (const CompareFact::Kind kind : kinds) {
        for (const bool isSame : {false, true}) {
            for (const CompareFact &fact : m_runs->table().of(kind, isSame)) {
                const QString &one = fact.values.at(first), &other = fact.values.at(second);
                const bool areKnown
                    = isKnownOf(fact, m_runs->runs().at(first)) && isKnownOf(fact, m_runs->runs().at(second));
                const bool isOther = areKnown && (one != other || one.isNull() != other.isNull());
                if (m_all->isChecked() || isOther) {
                    addFactRow(facts, factTitle(fact), one, other, areKnown);
                }
            }
        }
    }
}

void CompareDetails::addTimes(qsizetype first, qsizetype second)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const JobSummary &one = m_runs->runs().at(first).job, &other = m_runs->runs().at(second).job;
    const auto time = [now](std::optional<qint64> at) { return at ? formatTime(*at, now) : QString(); };
    const auto took
        = [now](const JobSummary &job) { return job.launched ? clockText(allAttemptsMs(job, now)) : QString(); };
    // As they are shown: jobs of a sweep differ by milliseconds.
    const auto add = [this](const QString &title, const QString &ofOne, const QString &ofOther) {
        if (m_all->isChecked() || ofOne != ofOther) {
            addFactRow(m_else, title, ofOne, ofOther);
        }
    };
    add(tr("Submitted"), time(one.submitted), time(other.submitted));
    add(tr("Started"), time(one.launched), time(other.launched));
    add(tr("Took"), took(one), took(other));
    m_unknownTold = unknownOf(first, second);
    for (qsizetype i = 0; i < m_unknownTold.size(); ++i) {
        auto *item = new QTreeWidgetItem({m_unknownTold.at(i)});
        m_else->insertTopLevelItem(int(i), item);
        item->setFirstColumnSpanned(true);
    }
}

// Sentences that say of which of the two the surroundings are not known, and why.
QStringList CompareDetails::unknownOf(qsizetype first, qsizetype second) const
{
    QStringList waiting, unstarted, early, unknown;
    for (const qsizetype run : {first, second}) {
        const CompareRun &each = m_runs->runs().at(run);
        const bool isOver = isFinal(each.job.state);
        const bool isBegun = each.job.launched.has_value();
        if (each.environment.isEmpty()) {
            QStringList &list = isForeign(each.job.uuid) ? unknown
                : !isBegun                               ? (isOver ? unstarted : waiting)
                                                         : (isOver ? unknown : early);
            list.append(m_runs->label(run));
        }
    }
    QStringList sentences;
    const auto add = [&sentences](const QString &sentence, const QStringList &labels) {
        if (!labels.isEmpty()) {
            sentences.append(sentence.arg(labels.join(tr(" and "))));
        }
    };
    add(tr("Not started yet: %1. Git, packages, driver and GPUs are compared once it has started."), waiting);
    add(tr("Never started: %1. Git, packages, driver and GPUs cannot be compared."), unstarted);
    add(tr("Nothing has been recorded yet about git, packages, driver and GPUs of %1."), early);
    add(tr("Nothing was recorded about git, packages, driver and GPUs of %1."), unknown);
    return sentences;
}

// A run that starts or ends changes its texts, although its facts are the same.
void CompareDetails::updateUnknown()
{
    const qsizetype first = picked(m_first), second = picked(m_second);
    if (m_tabs->currentIndex() == ElseTab && first >= 0 && second >= 0 && first != second
        && unknownOf(first, second) != m_unknownTold) {
        update();
    }
}

} // namespace trainyard
