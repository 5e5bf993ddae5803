// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logpane.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/log/filteredlog.h"
#include "widgets/log/logbookmarks.h"
#include "widgets/log/logfindrow.h"
#include "widgets/log/loghead.h"
#include "widgets/log/logjumps.h"
#include "widgets/log/logreturn.h"
#include "widgets/log/logsaving.h"
#include "widgets/log/preparationfold.h"
#include "widgets/text/formats.h"

#include <QAction>
#include <QEvent>
#include <QLocale>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
LogPane::LogPane(QWidget *parent)
    : QWidget(parent), m_findRow(new LogFindRow), m_view(new LogView), m_bookmarks(new LogBookmarks(m_view, this)),
      m_jumps(new LogJumps(m_view, m_bookmarks, this)), m_return(new LogReturn(m_view)),
      m_preparation(new PreparationFold), m_empty(new EmptyState)
{
    m_view->setObjectName(QStringLiteral("logView"));
    const auto action
        = [this](const char *name, const QString &iconName, const QString &text, const QString &tip, bool checkable) {
              auto *a = new QAction(iconName.isEmpty() ? QIcon() : icon(iconName), text, this);
              a->setObjectName(QLatin1String(name));
              a->setToolTip(plainTip(tip));
              a->setStatusTip(tip);
              a->setCheckable(checkable);
              addAction(a);
              return a;
          };
    m_find = action(
        "logFind", QStringLiteral("search"), tr("Find in the log"), tr("Find in the whole log (Ctrl+F)"), false);
    m_find->setShortcut(QKeySequence::Find);
    m_follow = action(
        "logFollow", QStringLiteral("follow"), tr("Follow"), tr("Follow output (scrolling up stops following)"), true);
    m_follow->setChecked(true);
    m_times = action("logTimes", QStringLiteral("clock"), tr("Times"), tr("Show when each line was written"), true);
    m_times->setChecked(true);
    m_runtime = action("logRuntime", QStringLiteral("settings"), tr("Preparation"),
        tr("Show the runtime messages: prerequisites, plugins, the end of the task"), true);
    m_wrap = action("logWrap", QStringLiteral("wrap"), tr("Wrap"), tr("Wrap long lines"), true);
    m_numbers = action("logNumbers", {}, tr("Line numbers"), tr("Show the number of each line"), true);
    m_save = action("logSave", QStringLiteral("download"), tr("Save the log as…"),
        tr("Save everything that is shown to a file"), false);
    m_external = action("logOpen", QStringLiteral("external"), tr("Open in the editor"),
        tr("Open the log file with the program for text files"), false);

    auto *body = new QWidget;
    auto *stack = new QStackedLayout(body);
    stack->addWidget(m_view);
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    m_empty->setIcon(QStringLiteral("document"));
    stack->addWidget(m_empty);
    m_head = new LogHead({m_find, m_follow, m_jumps->firstError(), m_times, m_wrap, m_save, m_external});
    auto *bar = new InfoBar;
    m_saving = new LogSaving(this, bar);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_findRow);
    layout->addWidget(bar);
    layout->addWidget(m_preparation);
    layout->addWidget(body, 1);
    for (QAction *key : m_findRow->actions()) {
        addAction(key);
    }
    wire();
    setWrapped(true); // what a program says stands at the end of a line, behind the long path of its script
    setLog({}, {}, tr("The run is being read.")); // until its tasks are known
}

void LogPane::wire()
{
    connect(m_head, &LogHead::moreAboutToShow, this, &LogPane::addToMore);
    connect(m_find, &QAction::triggered, this, &LogPane::showFind);
    connect(m_findRow, &LogFindRow::changed, this, &LogPane::updateSearch);
    connect(m_findRow, &LogFindRow::nextRequested, m_view, &LogView::nextHit);
    connect(m_findRow, &LogFindRow::previousRequested, m_view, &LogView::previousHit);
    const auto goToHits = [this] {
        m_isAtHit = true;
        m_return->settle();
    };
    connect(m_findRow, &LogFindRow::nextRequested, this, goToHits);
    connect(m_findRow, &LogFindRow::previousRequested, this, goToHits);
    connect(m_view, &LogView::currentLineChanged, this, [this] { m_isAtHit = false; });
    connect(m_findRow, &LogFindRow::closed, m_view, qOverload<>(&QWidget::setFocus));
    connect(m_follow, &QAction::triggered, m_view, &LogView::setFollowing);
    connect(m_view, &LogView::followingChanged, m_follow, &QAction::setChecked);
    connect(m_times, &QAction::triggered, this,
        [this](bool on) { m_view->setTimes(on ? LogTimes::Clock : LogTimes::None); });
    connect(m_view, &LogView::timesChanged, this, [this] { m_times->setChecked(m_view->times() != LogTimes::None); });
    connect(m_numbers, &QAction::toggled, m_view, &LogView::setNumbered);
    connect(m_view, &LogView::numberedChanged, m_numbers, &QAction::setChecked); // by its own menu, or for all logs
    connect(m_wrap, &QAction::toggled, m_view, &LogView::setWrapped);
    connect(m_view, &LogView::wrappedChanged, m_wrap, &QAction::setChecked); // by its own menu
    connect(m_view, &LogView::wrappedChanged, this, &LogPane::wrappedChanged);
    connect(m_view, &LogView::copyCutShort, this, [this] {
        say(tr("Only the first 64 MiB of the selection were copied. To have all of it, save the log to a file."));
    });
    connect(m_jumps, &LogJumps::said, this, &LogPane::say);
    connect(m_jumps, &LogJumps::nextFailedRequested, this, &LogPane::nextFailedRequested);
    connect(m_runtime, &QAction::toggled, m_preparation, &PreparationFold::setOpen);
    connect(m_preparation, &PreparationFold::openChanged, m_runtime, &QAction::setChecked);
    connect(m_head->streams(), &SegmentedControl::currentChanged, this, [this] {
        const std::optional<qint64> place = placeOfUser();
        const bool isInSight = place && !m_view->lineRect(*place).isEmpty() && !m_view->isFollowing();
        m_return->keep(isInSight ? place : std::nullopt);
        applySource();
    });
    connect(m_head, &LogHead::rangeRemoved, this, [this] { setTimeRange(std::nullopt); });
    connect(m_view, &LogView::sizeChanged, this, [this] {
        updateStatus();
        showOrHideEmpty();
    });
    connect(m_view, &LogView::completed, this, &LogPane::showOrHideEmpty);
    connect(m_view, &LogView::searchChanged, this, &LogPane::updateStatus);
    connect(m_save, &QAction::triggered, this,
        [this] { m_saving->ask(m_head->task(), shownSource(), m_view->linePrefix()); });
    connect(m_saving, &LogSaving::changed, this, &LogPane::updateActions);
    connect(m_external, &QAction::triggered, this,
        [this] { Q_EMIT openRequested(folder() + QStringLiteral("/output.log")); });
}

void LogPane::say(const QString &sentence) { m_saving->say(sentence); }

void LogPane::setLog(const QString &title, const QString &folder, const QString &emptyText)
{
    setLogs(title, folder.isEmpty() ? QStringList() : QStringList{folder}, {}, emptyText);
}

void LogPane::setLogs(
    const QString &title, const QStringList &folders, const QList<LogPart> &parts, const QString &emptyText)
{
    m_emptyText = emptyText;
    if (m_head->setTitle(title)) {
        m_head->fit(width());
    }
    const bool isOther = folders != m_folders || parts != m_parts;
    m_folders = folders;
    m_parts = parts;
    updateActions();
    if (isOther) {
        m_view->setFollowing(true);
        m_return->forget();
        m_preparation->setFolder(folders.size() == 1 ? folders.constFirst() : QString());
        applySource();
        m_bookmarks->setLog(folders.join(QLatin1Char('\n')));
    }
    showOrHideEmpty();
    updateStatus();
}

void LogPane::setTimeRange(const std::optional<LogTimeRange> &range)
{
    if (range == m_range) {
        return;
    }
    m_range = range;
    m_head->setRange(range);
    if (range) {
        m_view->setFollowing(false);
    } else {
        m_return->keep(m_view->currentLine());
    }
    m_head->fit(width());
    applySource();
    if (!range) {
        Q_EMIT timeRangeDropped();
    }
}

bool LogPane::showsAll() const
{
    return m_folders.size() <= 1 && m_head->streams()->currentIndex() == 0 && !m_range && !m_context;
}

void LogPane::showAll()
{
    m_findRow->showAllLines();
    setTimeRange(std::nullopt);
    m_head->streams()->setCurrentIndex(0);
    m_return->forget();
}

void LogPane::setWrapped(bool on) { m_wrap->setChecked(on); }

void LogPane::setTry(const QString &words)
{
    if (m_head->setTry(words)) {
        m_head->fit(width());
        updateStatus();
    }
}

void LogPane::setRun(const QString &name, qint64 number) { m_saving->setRun(name, number); }

QString LogPane::title() const { return m_head->title(); }

QToolButton *LogPane::titleButton() const { return m_head->titleButton(); }

QToolButton *LogPane::tryButton() const { return m_head->tryButton(); }

void LogPane::applySource()
{
    m_whole = m_folders.isEmpty()
        ? LogSourceFactory()
        : TryLogSource::factory({m_folders, LogSource::Filter(m_head->streams()->currentIndex()), m_range});
    m_view->setSource(shownSource(), m_parts);
    showOrHideEmpty();
}

LogSourceFactory LogPane::shownSource() const
{
    return m_whole && m_context ? FilteredLog::factory(m_whole, m_filterQuery, *m_context) : m_whole;
}

void LogPane::updateActions()
{
    m_external->setEnabled(m_folders.size() == 1);
    m_runtime->setEnabled(m_folders.size() == 1);
    m_save->setEnabled(!m_folders.isEmpty() && !m_saving->isSaving());
}

void LogPane::showOrHideEmpty()
{
    auto *stack = static_cast<QStackedLayout *>(m_empty->parentWidget()->layout());
    const bool nothing
        = m_folders.isEmpty() || (m_view->lineCount() == 0 && (m_view->isComplete() || m_view->hasLooked()));
    if (nothing) {
        m_empty->setText(emptySentence());
    }
    stack->setCurrentWidget(nothing ? static_cast<QWidget *>(m_empty) : m_view);
    watchBehindSentence(isVisible());
}

// The view is hidden then, and the first line is to be seen when it comes.
void LogPane::watchBehindSentence(bool isShown)
{
    m_view->watchWhileHidden(isShown && !m_folders.isEmpty() && m_view->lineCount() == 0 && !m_view->isComplete());
}

void LogPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    watchBehindSentence(true);
}

void LogPane::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    watchBehindSentence(false);
}

QString LogPane::emptySentence() const
{
    if (m_folders.isEmpty()) {
        return m_emptyText.isEmpty() ? tr("Nothing has been written yet.") : m_emptyText;
    }
    if (m_context) {
        return tr("No line matches the search.");
    }
    if (m_range) {
        return tr("Nothing was written in this time.");
    }
    if (!m_view->isComplete()) {
        return m_head->streams()->currentIndex() != 0 ? tr("Nothing has been written to this stream yet.")
            : m_emptyText.isEmpty()                   ? tr("Nothing has been written yet.")
                                                      : m_emptyText;
    }
    return m_head->streams()->currentIndex() != 0 ? tr("This task wrote nothing to this stream.")
        : m_folders.size() > 1                    ? tr("These tasks wrote no output.")
                                                  : tr("This task wrote no output.");
}

void LogPane::addToMore(QMenu *menu)
{
    menu->removeAction(m_jumps->firstError()); // it is among the jumps
    menu->addAction(m_numbers);
    menu->addAction(m_runtime);
    menu->addSeparator();
    m_jumps->addTo(menu);
    menu->addSeparator();
    menu->addAction(tr("Colours of lines…"), this, &LogPane::rulesRequested);
    menu->addAction(tr("Own metrics…"), this, &LogPane::patternsRequested);
}

// Its parts may want more room than when they were fitted, as with the font of the first showing: what has too little
// would be cut.
bool LogPane::event(QEvent *event)
{
    const bool isDone = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest && m_head && m_head->isOutgrown(width())) {
        m_head->fit(width());
    }
    return isDone;
}

void LogPane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_head->fit(width());
}

void LogPane::showFind() { m_findRow->open(m_view->selectedInOneLine()); }

std::optional<qint64> LogPane::placeOfUser() const
{
    const std::optional<qint64> line = m_view->currentLine();
    const qint64 hit = m_view->currentHit() >= 0 ? m_view->hitLine(m_view->currentHit()) : -1;
    return hit >= 0 && (m_isAtHit || !line) ? std::optional(hit) : line;
}

void LogPane::updateSearch()
{
    const bool isWhole = m_findRow->isHidden() || m_findRow->fault().isEmpty();
    const bool isFilterOff = m_context && !m_findRow->isFiltering(); // which needs no expression
    if (!isWhole && !isFilterOff) {
        updateStatus(); // what was found before stays until the expression is whole
        return;
    }
    const LogQuery query = m_findRow->query();
    const std::optional<int> context = m_findRow->context();
    const std::optional<qint64> place = placeOfUser(); // before the hits are forgotten
    if (isWhole) {
        m_view->search(query);
    }
    if (context != m_context || (context && query != m_filterQuery)) {
        const bool isOtherQuery = context && m_context && query != m_filterQuery;
        if (isOtherQuery || (context && m_view->isFollowing())) {
            m_return->forget();
        } else {
            m_return->keep(place);
        }
        m_context = context;
        m_filterQuery = query;
        m_view->setSource(shownSource(), m_parts);
        showOrHideEmpty();
    }
}

void LogPane::updateStatus()
{
    const QLocale locale;
    if (m_findRow->text().isEmpty()) {
        m_findRow->setStatus({});
    } else if (!m_findRow->fault().isEmpty()) {
        m_findRow->setStatus(tr("Not a valid expression"));
    } else if (m_view->hitLineCount() == 0) {
        m_findRow->setStatus(m_view->searchDone() ? tr("No results") : tr("searching…"));
    } else if (!m_view->isHitReached()) { // Enter goes there
        m_findRow->setStatus(tr("%Ln hit(s)", nullptr, int(std::min<qint64>(m_view->hitLineCount(), INT_MAX))));
    } else {
        m_findRow->setStatus(
            tr("%1 of %2").arg(locale.toString(m_view->currentHit() + 1), locale.toString(m_view->hitLineCount())));
    }
    Q_EMIT statusChanged(m_folders.isEmpty()
            ? QString()
            : tr("%1: %Ln line(s), %2", nullptr, int(std::min<qint64>(m_view->lineCount(), INT_MAX)))
                  .arg(title(), formatBytes(m_view->byteCount())));
}

} // namespace trainyard
