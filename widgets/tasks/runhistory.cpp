// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runhistory.h"

#include "engine/api/clusters.h"
#include "engine/api/tasklabel.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/plot/curvecontrols.h"
#include "widgets/plot/curvesview.h"
#include "widgets/tasks/configurationview.h"
#include "widgets/tasks/environmentview.h"
#include "widgets/tasks/eventsview.h"
#include "widgets/tasks/filesview.h"
#include "widgets/tasks/historylists.h"
#include "widgets/tasks/timelinepage.h"
#include "widgets/tasks/timelineview.h"
#include "widgets/text/hosttexts.h"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
// A saved layout names them by these numbers.
enum HistoryTab {
    AttemptsTab = 0,
    ConfigurationTab = 1,
    TriesTab = 2,
    MetricsTab = 3,
    TimelineTab = 4,
    EventsTab = 5,
    EnvironmentTab = 6,
    FilesTab = 7
};

// A tab that looks chosen without its page looks broken.
void markTabs(QTabBar *tabs, bool isFolded)
{
    setTabKind(tabs, isFolded ? TabKind::Folded : TabKind::Inner);
    tabs->setDrawBase(false); // the row has its line
    tabs->setElideMode(Qt::ElideNone); // "Me…cs" says nothing: what has no room is scrolled to
    tabs->setToolTip(plainTip(isFolded ? RunHistory::tr("Click a tab to open the pane")
                                       : RunHistory::tr("Click the current tab to fold the pane")));
    tabs->update();
}
} // namespace

RunHistory::RunHistory()
    : Ground(Colour::Surface), m_tabs(new QTabBar), m_explanation(new ElidedLabel), m_body(new QWidget),
      m_timeline(new TimelinePage), m_events(new EventsView), m_environment(new EnvironmentView),
      m_files(new FilesView), m_attempts(new AttemptList), m_tries(new TryList), m_configuration(new ConfigurationView),
      m_curves(new CurvesView)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeTabRow());
    m_body->setObjectName(QStringLiteral("runPageHistory"));
    m_pages = new QStackedLayout(m_body);
    layout->addWidget(m_body, 1);
    addPages();
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_tabChosen = m_tabChosen || !m_isSuggesting;
        if (!m_isSetting) {
            tellChosen(tab());
        }
        m_pages->setCurrentIndex(index);
        showControls();
        explainTab();
        if (!m_folded && (tab() == TimelineTab || tab() == EventsTab)) {
            Q_EMIT storyWanted();
        }
    });
    connect(m_attempts, &HistoryList::chosen, this, &RunHistory::attemptChosen);
    connect(m_tries, &HistoryList::chosen, this, &RunHistory::tryChosen);
    const TimelineView *timeline = m_timeline->view();
    connect(timeline, &TimelineView::tryChosen, this, &RunHistory::tryOfTaskChosen);
    connect(timeline, &TimelineView::attemptChosen, this, &RunHistory::attemptChosen);
    connect(timeline, &TimelineView::rowsInSightChanged, this, &RunHistory::logsInSightChanged);
    connect(m_timeline, &TimelinePage::storyWanted, this, &RunHistory::storyWanted);
    connect(m_events, &EventsView::tryChosen, this, &RunHistory::tryOfTaskChosen);
    connect(m_events, &EventsView::attemptChosen, this, &RunHistory::attemptChosen);
    connect(m_events, &EventsView::lineChosen, this, &RunHistory::lineChosen);
    connect(m_events, &EventsView::countChanged, this, &RunHistory::showEventCount);
    showControls();
    explainTab();
}

bool RunHistory::isInConfiguration(const QWidget *widget) const
{
    return widget && m_configuration->isAncestorOf(widget);
}

void RunHistory::addTab(int kind, const QString &name, QWidget *page, QWidget *controls)
{
    m_tabs->setTabData(m_tabs->addTab(name), kind);
    m_pages->addWidget(page);
    if (controls) {
        m_controls.insert(kind, controls);
        m_row->layout()->addWidget(controls);
    }
}

// In the order in which one asks: when, how well, what; then the parts.
void RunHistory::addPages()
{
    addTab(TimelineTab, tr("Timeline"), m_timeline, m_timeline->legend());
    addTab(MetricsTab, tr("Metrics"), m_curves, m_curves->controls());
    addTab(EventsTab, tr("Events"), m_events, m_events->controls());
    addTab(AttemptsTab, tr("Attempts"), m_attempts, nullptr);
    m_tabs->setTabToolTip(m_tabs->count() - 1, plainTip(AttemptList::meaning()));
    addTab(TriesTab, tr("Tries"), m_tries, nullptr);
    m_tabs->setTabToolTip(m_tabs->count() - 1, plainTip(TryList::meaning({})));
    addTab(EnvironmentTab, tr("Environment"), m_environment, m_environment->controls());
    addTab(ConfigurationTab, tr("Configuration"), m_configuration, m_configuration->controls());
    addTab(FilesTab, tr("Files"), m_files, m_files->controls());
}

QWidget *RunHistory::makeTabRow()
{
    markTabs(m_tabs, m_folded);
    m_tabs->setUsesScrollButtons(true);
    // The meaning of a click depends on which tab was the current one before it.
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (index >= 0) {
            m_tabChosen = true;
            tellChosen(m_tabs->tabData(index).toInt());
            Q_EMIT foldChosen(!m_folded && index == m_tabs->currentIndex());
        }
    });
    auto *row = new Ground(Colour::Surface);
    row->setBorders(Qt::BottomEdge);
    row->setMinimumWidth(1); // showControls() sees to it
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(4, 0, metrics::space3, 0);
    layout->setSpacing(metrics::space3);
    layout->addWidget(m_tabs);
    m_explanation->setObjectName(QStringLiteral("historyExplanation"));
    m_explanation->setFont(fonts::small());
    m_explanation->setColour(Colour::Muted);
    m_explanation->setElideMode(Qt::ElideRight);
    layout->addWidget(m_explanation, 1);
    m_row = row;
    row->installEventFilter(this);
    return row;
}

// Attempts and tries mean nearly the same elsewhere.
void RunHistory::explainTab()
{
    m_explanation->setText(tab() == AttemptsTab          ? AttemptList::meaning()
            : tab() == TriesTab                          ? TryList::meaning(m_task)
            : tab() == TimelineTab || tab() == EventsTab ? m_storyTrouble
                                                         : QString());
}

void RunHistory::setPauses(const QList<PauseSpan> &pauses)
{
    m_attempts->setPauses(pauses);
    m_tries->setPauses(pauses);
}

void RunHistory::setAttempts(const QList<AttemptInfo> &attempts, int shown)
{
    m_attempts->setAttempts(attempts);
    m_attempts->setShown(shown);
    if (attempts.size() > 1) {
        Q_EMIT grew();
    }
}

void RunHistory::setShownAttempt(int attempt) { m_attempts->setShown(attempt); }

void RunHistory::setTries(
    const QList<TaskInfo> &tries, int shown, const QHash<QString, QString> &hostLabels, std::optional<int> attemptExit)
{
    m_tries->setTries(tries, hostLabels, attemptExit, QDateTime::currentMSecsSinceEpoch());
    m_task = tries.isEmpty() ? QString() : taskLabel(tries.constFirst());
    explainTab();
    std::optional<TaskInfo> current;
    for (const TaskInfo &one : tries) {
        current = one.tries == shown ? std::optional(one) : current;
    }
    showTask(current, current ? hostLabel(current->host, hostLabels) : QString());
    if (tries.isEmpty()) {
        return;
    }
    m_tries->setShown(shown);
    if (tries.constLast().tries > 0) {
        Q_EMIT grew();
    }
}

void RunHistory::showTask(const std::optional<TaskInfo> &task, const QString &hostLabel)
{
    m_environment->setTry(task);
    // The nodes of a cluster share the folders of its runs with this computer.
    const bool isHere = !task || task->host.isEmpty() || task->host == QLatin1String("local")
        || clusterPlaceOf(task->host).has_value();
    m_files->setTry(task, isHere ? QString() : hostLabel);
    if (task) {
        m_timeline->view()->setCurrent(task->attempt, task->role, task->index, task->tries);
    }
}

void RunHistory::setConfiguration(const QByteArray &yaml, const QByteArray &before, const QString &note)
{
    m_configuration->setText(yaml, before, note);
    showControls(); // there may be one more
}

void RunHistory::setStory(const RunStory &story, qint64 now)
{
    m_timeline->setStory(story, now);
    m_events->setStory(story);
    m_storyTrouble = story.trouble;
    explainTab();
}

void RunHistory::showEventCount(int count)
{
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (m_tabs->tabData(i).toInt() == EventsTab) {
            m_tabs->setTabText(i, count > 0 ? tr("Events %L1").arg(count) : tr("Events"));
            showControls(); // it may be wider now
        }
    }
}

void RunHistory::tick(qint64 now)
{
    m_tries->tick(now);
    m_timeline->view()->tick(now);
}

void RunHistory::resizeEvent(QResizeEvent *event)
{
    Ground::resizeEvent(event);
    showControls();
}

// Controls may want more room later, as when the first metric comes: without it they would lie over the tabs.
bool RunHistory::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_row && event->type() == QEvent::LayoutRequest) {
        showControls();
    }
    return Ground::eventFilter(watched, event);
}

// The tabs have their whole names for as long as the controls of the one in front keep what they need at least; then
// the tabs are scrolled. Explanatory parts are hidden first on a narrow page.
void RunHistory::showControls()
{
    const QMargins around = m_row->layout()->contentsMargins();
    const int room = std::max(1, width() - around.left() - around.right());
    const int whole = m_tabs->sizeHint().width();
    int tabs = std::min(whole, room);
    for (auto it = m_controls.cbegin(); it != m_controls.cend(); ++it) {
        // The fixed size of a field counts, too, because its hint alone is smaller.
        const int needed = std::max(it.value()->minimumSizeHint().width(), it.value()->minimumWidth());
        const int beside = room - 2 * metrics::space3 - needed;
        const int least = it.key() == TimelineTab ? whole : std::min(whole, m_tabs->minimumSizeHint().width());
        const bool isShown = !m_folded && it.key() == tab() && least <= beside;
        it.value()->setVisible(isShown);
        tabs = isShown ? std::min(whole, beside) : tabs;
    }
    m_tabs->setMinimumWidth(tabs);
    m_timeline->placeLegend();
}

int RunHistory::tab() const { return m_tabs->tabData(m_tabs->currentIndex()).toInt(); }

std::optional<int> RunHistory::tabChosen() const { return m_tabChosen ? std::optional(tab()) : std::nullopt; }

void RunHistory::beginWithTab(int tab)
{
    if (!m_tabChosen) {
        m_isSuggesting = true;
        setTab(tab);
        m_isSuggesting = m_tabChosen = false;
    }
}

void RunHistory::suggestCurves() { beginWithTab(MetricsTab); }

// Every run comes to have these; the others may stay empty in the next one.
void RunHistory::tellChosen(int tab)
{
    if (tab == TimelineTab || tab == MetricsTab || tab == EventsTab) {
        Q_EMIT tabChosenByHand(tab);
    }
}

void RunHistory::setTab(int tab)
{
    const QScopedValueRollback setting(m_isSetting, true);
    m_tabChosen = true;
    for (int i = 0; i < m_tabs->count(); ++i) {
        if (m_tabs->tabData(i).toInt() == tab) {
            m_tabs->setCurrentIndex(i);
        }
    }
}

void RunHistory::setFolded(bool on)
{
    m_folded = on;
    m_body->setVisible(!on);
    markTabs(m_tabs, on);
    showControls();
    if (!on) {
        Q_EMIT storyWanted(); // for the number of events, too
    }
    setMaximumHeight(on ? m_tabs->sizeHint().height() + 1 : QWIDGETSIZE_MAX);
}

} // namespace trainyard
