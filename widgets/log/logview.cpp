// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logview.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/textsize.h"
#include "widgets/log/hitstrip.h"
#include "widgets/log/logfeed.h"
#include "widgets/log/logmouse.h"
#include "widgets/log/newlinespill.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace trainyard
{

LogView::LogView(QWidget *parent)
    : QAbstractScrollArea(parent), m_layout(this, &m_lines), m_feed(new LogFeed(this)),
      m_scroll(new LogScroll(this, &m_layout)), m_selection(new LogSelection(&m_lines, this)),
      m_search(new LogSearch(m_feed, m_scroll, this)), m_keys(&m_lines, m_scroll, m_selection),
      m_painter(this, &m_lines, &m_layout, m_selection, m_search), m_pill(new NewLinesPill(viewport())),
      m_marks(new HitStrip(&m_search->hits(), this)), m_lateRepaint(new QTimer(this))
{
    m_lateRepaint->setSingleShot(true);
    m_lateRepaint->setInterval(200);
    wire();
    setViewportMargins(0, 0, HitStrip::stripWidth, 0);
    setFrameShape(QFrame::NoFrame);
    TextSize::logs()->follow(this, [this] { setFont(TextSize::logs()->font()); });
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Log"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
}

void LogView::wire()
{
    const auto repaint = qOverload<>(&QWidget::update);
    new LogMouse(this, m_scroll, m_selection);
    connect(m_feed, &LogFeed::indexed, this, &LogView::grow);
    connect(m_feed, &LogFeed::lineFound, this, &LogView::showFound);
    connect(m_scroll, &LogScroll::followingChanged, this, &LogView::followingChanged);
    connect(m_scroll, &LogScroll::changed, this, &LogView::updateMarks);
    connect(m_scroll, &LogScroll::changed, viewport(), repaint);
    connect(m_selection, &LogSelection::changed, viewport(), repaint);
    connect(m_selection, &LogSelection::changed, this, &LogView::selectionChanged);
    connect(m_selection, &LogSelection::changed, this, &LogView::currentLineChanged);
    connect(m_selection, &LogSelection::cutShort, this, &LogView::copyCutShort);
    connect(m_search, &LogSearch::lineWanted, this, &LogView::showHit);
    connect(m_search, &LogSearch::changed, m_scroll, &LogScroll::update);
    connect(m_search, &LogSearch::changed, this, &LogView::searchChanged);
    connect(m_pill, &QPushButton::clicked, this, [this] { setFollowing(true); });
    connect(m_marks, &HitStrip::lineChosen, m_scroll, &LogScroll::showLine);
    connect(m_lateRepaint, &QTimer::timeout, viewport(), repaint);
}

void LogView::setSource(const LogSourceFactory &factory, const QList<LogPart> &parts)
{
    m_layout.setParts(parts);
    m_painter.setCause(std::nullopt);
    m_lines.setSource(factory ? factory() : nullptr);
    m_complete = m_hasLooked = false;
    m_bytes = 0;
    m_isOpening = true;
    m_scroll->restart();
    m_feed->open(factory);
    m_search->restart();
    m_selection->clear();
    Q_EMIT sizeChanged(0, 0);
}

void LogView::grow(const LogIndex::Delta &delta, const QList<LogSource::Live> &live, bool complete)
{
    m_lines.apply(delta, live);
    const bool finished = complete && !m_complete;
    m_complete = complete;
    m_bytes = complete || delta.reset ? m_lines.bytes() : std::max(m_bytes, m_lines.bytes());
    m_hasLooked = true;
    if (m_isOpening) {
        m_scroll->noteSeen();
        m_isOpening = !delta.isWhole;
    }
    m_scroll->update();
    m_lateRepaint->start(); // the index of times is written a little after the text
    Q_EMIT sizeChanged(lineCount(), byteCount());
    if (finished) {
        Q_EMIT completed();
    }
}

void LogView::setTimes(LogTimes times)
{
    if (times != m_layout.times()) {
        m_layout.setTimes(times);
        m_scroll->update();
        Q_EMIT timesChanged();
    }
}

void LogView::setNumbered(bool on)
{
    if (on != m_layout.isNumbered()) {
        m_layout.setNumbered(on);
        m_scroll->update();
        Q_EMIT numberedChanged(on);
    }
}

void LogView::setRules(const LogRules &rules)
{
    m_rules = rules;
    m_painter.setRules(rules);
    viewport()->update();
}

void LogView::setMarkedLines(const QSet<qint64> &lines)
{
    m_painter.setMarked(lines);
    viewport()->update();
}

void LogView::setCauseLine(std::optional<qint64> line)
{
    m_painter.setCause(line);
    viewport()->update();
}

void LogView::setWrapped(bool on)
{
    if (on != isWrapped()) {
        m_scroll->setWrapped(on);
        Q_EMIT wrappedChanged(on);
    }
}

void LogView::markLine(qint64 line)
{
    m_scroll->showLine(line);
    m_selection->selectLine(line);
}

std::optional<qint64> LogView::timeOf(qint64 line) const
{
    const auto origin = m_lines.origin(line);
    return origin ? std::optional(origin->timeNs / 1'000'000) : std::nullopt;
}

void LogView::copy()
{
    LinePrefix prefix = linePrefix();
    if (prefix.isEmpty()) {
        m_selection->copy();
        return;
    }
    m_selection->copy([this, &prefix](qint64 line) {
        const std::optional<LogSource::Origin> origin = m_lines.origin(line), before = m_lines.origin(line - 1);
        return !origin ? QString()
                       : QString::fromUtf8(prefix.of(*origin, m_lines.startNs().value_or(origin->timeNs),
                           before ? before->timeNs : origin->timeNs));
    });
}

void LogView::jump(Jump what)
{
    static const QRegularExpression traceback(
        QStringLiteral("^.*Traceback \\(most recent call last\\)"), QRegularExpression::MultilineOption);
    const auto ofLevels = [this](const QList<LogRule::Level> &levels) {
        return LogGoal{m_rules.candidates(levels), [rules = m_rules, levels](const QString &line) {
                           const auto level = rules.levelOf(line);
                           return level && levels.contains(*level);
                       }};
    };
    using Level = LogRule::Level;
    LogGoal goal = what == Jump::FirstError ? ofLevels({Level::Error}) : ofLevels({Level::Error, Level::Warning});
    if (what == Jump::Traceback) {
        goal = {traceback, [expression = traceback](const QString &line) { return expression.match(line).hasMatch(); }};
    }
    goal.isForward = what != Jump::PreviousProblem;
    if (what == Jump::NextProblem || what == Jump::PreviousProblem) {
        goal.from = currentLine().value_or(goal.isForward ? topLine() - 1 : topLine());
    }
    m_jump = what;
    m_feed->findLine(goal);
}

void LogView::showFound(qint64 line)
{
    if (line >= 0) {
        markLine(line); // seen among others that are red
    }
    Q_EMIT jumped(m_jump, line >= 0);
}

void LogView::showHit(qint64 line)
{
    m_scroll->showLine(line);
    const LogText decoded = decodeLine(m_lines.line(line));
    const QString &text = decoded.text;
    const QList<LogSearch::Match> matches = m_search->matchesIn(decoded);
    if (!matches.isEmpty() && !m_layout.isWrapped()) {
        const QFontMetrics fm = fontMetrics();
        m_scroll->noteWidth(fm.horizontalAdvance(text));
        m_scroll->update();
        m_scroll->showAcross(fm.horizontalAdvance(text.left(matches.constFirst().begin)),
            fm.horizontalAdvance(text.left(matches.constFirst().end)));
    }
    m_scroll->update();
}

void LogView::updateMarks()
{
    m_pill->setLines(newLines());
    m_marks->setHits(lineCount(), m_search->currentLine().value_or(-1));
    const QRect area = viewport()->geometry();
    m_marks->setGeometry(area.right() + 1, area.top(), HitStrip::stripWidth, area.height());
    if (isHitReached() != m_wasHitReached) { // it was scrolled to, or out of sight
        m_wasHitReached = !m_wasHitReached;
        Q_EMIT searchChanged();
    }
}

void LogView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(event->rect(), colour(Colour::Surface, this));
    const int textLeft = m_layout.gutterWidth() - horizontalScrollBar()->value();
    const QList<LogLayout::Row> rows = m_scroll->rows();
    int widest = 0;
    for (const LogLayout::Row &row : rows) {
        widest = std::max(widest, m_painter.paintRow(painter, row, textLeft, !m_complete));
    }
    m_scroll->noteWidth(widest);
    if (stylepaint::showsFocus(this)) {
        stylepaint::focusRing(&painter, viewport()->rect(), 0, colour(Colour::Accent, this));
    }
}

void LogView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    m_scroll->update();
}

void LogView::scrollContentsBy(int, int dy)
{
    m_scroll->scrolled(dy);
    viewport()->update();
}

void LogView::wheelEvent(QWheelEvent *event)
{
    if (TextSize::logs()->handle(event)) {
        event->accept();
        return;
    }
    // Up ends the following even when everything is in sight.
    if (event->angleDelta().y() > 0 && isFollowing() && !m_complete) {
        setFollowing(false);
    }
    if (!m_scroll->handleWheel(event)) {
        QAbstractScrollArea::wheelEvent(event);
    }
}

void LogView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (!TextSize::logs()->handle(event) && !m_keys.handle(event) && !m_scroll->handleKey(event)) {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void LogView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *copyAction = menu->addAction(icon(QStringLiteral("copy")), tr("Copy"), this, &LogView::copy);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setEnabled(hasSelection());
    QAction *all = menu->addAction(tr("Select all"), this, &LogView::selectAll);
    all->setShortcut(QKeySequence::SelectAll);
    menu->addSeparator();
    QAction *follow = menu->addAction(tr("Follow the end"), this, [this] { setFollowing(!isFollowing()); });
    follow->setCheckable(true);
    follow->setChecked(isFollowing());
    menu->addMenu(timesMenu(menu));
    QAction *numbered = menu->addAction(tr("Line numbers"), this, [this] { setNumbered(!isNumbered()); });
    numbered->setObjectName(QStringLiteral("logLineNumbers"));
    numbered->setCheckable(true);
    numbered->setChecked(isNumbered());
    QAction *wrapped = menu->addAction(tr("Wrap long lines"), this, [this] { setWrapped(!m_layout.isWrapped()); });
    wrapped->setCheckable(true);
    wrapped->setChecked(m_layout.isWrapped());
    const qint64 line = m_scroll->positionAt(viewport()->mapFromGlobal(event->globalPos())).line;
    if (line >= 0 && line < lineCount()) {
        Q_EMIT menuAboutToShow(menu, line);
    }
    menu->popup(event->globalPos());
}

QMenu *LogView::timesMenu(QMenu *parent)
{
    auto *menu = new QMenu(tr("Times"), parent);
    const QList<std::pair<LogTimes, QString>> choices{{LogTimes::None, tr("None")},
        {LogTimes::Clock, tr("Time of day")}, {LogTimes::SinceStart, tr("Since the first line")},
        {LogTimes::SinceLast, tr("Since the line before")}};
    for (const auto &[choice, text] : choices) {
        QAction *action = menu->addAction(text, this, [this, times = choice] { setTimes(times); });
        action->setCheckable(true);
        action->setChecked(choice == m_layout.times());
    }
    return menu;
}

void LogView::watchWhileHidden(bool on)
{
    if (on != m_watchesHidden) {
        m_watchesHidden = on;
        m_feed->setWatching(on || isVisible());
    }
}

bool LogView::event(QEvent *event)
{
    const bool isHandled = QAbstractScrollArea::event(event);
    switch (event->type()) {
    case QEvent::FontChange:
        m_scroll->forgetWidths();
        break;
    case QEvent::FocusIn:
    case QEvent::FocusOut:
        viewport()->update(); // its ring
        break;
    case QEvent::Show:
        m_feed->setWatching(true);
        break;
    case QEvent::Hide:
        m_feed->setWatching(m_watchesHidden);
        break;
    default:
        break;
    }
    return isHandled;
}

} // namespace trainyard
