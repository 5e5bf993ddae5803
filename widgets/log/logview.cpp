// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logview.h"

#include "model/base/threads.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QDateTime>
#include <QGuiApplication>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>

namespace trainyard
{
namespace
{
constexpr int timeWidth = 110;
constexpr int markWidth = 26; // which stream it is, and beside it that the line still changes
constexpr qint64 copyLimit = 64 << 20;

// Marks where hits are, beside the thumb.
class HitBar final : public QScrollBar
{
public:
    using QScrollBar::QScrollBar;
    void setHits(const QList<qint64> *lines, qint64 count, qint64 current)
    {
        m_lines = lines;
        m_count = count;
        m_current = current;
        update();
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QScrollBar::paintEvent(event);
        if (!m_lines || m_lines->isEmpty() || m_count <= 0) {
            return;
        }
        QPainter painter(this);
        const auto yOf = [&](qint64 line) { return int(line * (height() - 2) / m_count); };
        int before = -2;
        for (const qint64 line : *m_lines) {
            const int y = yOf(line);
            if (y != before) {
                painter.fillRect(2, y, width() - 4, 2, colour(Colour::CurrentHit, this));
                before = y;
            }
        }
        if (m_current >= 0 && m_current < m_lines->size()) {
            painter.fillRect(1, yOf(m_lines->at(m_current)), width() - 2, 3, colour(Colour::Failed, this));
        }
    }

private:
    const QList<qint64> *m_lines = nullptr;
    qint64 m_count = 0;
    qint64 m_current = -1;
};
} // namespace

LogView::LogView(QWidget *parent)
    : QAbstractScrollArea(parent), m_worker(new LogWorker(&m_sourceGeneration, &m_searchGeneration)),
      m_pill(new QPushButton(viewport())), m_lateRepaint(new QTimer(this))
{
    m_lateRepaint->setSingleShot(true);
    m_lateRepaint->setInterval(200);
    connect(m_lateRepaint, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
    qRegisterMetaType<LogIndex::Delta>();
    qRegisterMetaType<LogQuery>();
    qRegisterMetaType<LogSourceFactory>("trainyard::LogSourceFactory");
    qRegisterMetaType<QList<qint64>>();
    setVerticalScrollBar(new HitBar(this));
    setFrameShape(QFrame::NoFrame);
    setFont(fonts::fixed());
    m_rowHeight = std::max(metrics::logLine, fontMetrics().height() + 1);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Log"));
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_pill->setObjectName(QStringLiteral("newLinesPill"));
    m_pill->setCursor(Qt::ArrowCursor);
    m_pill->setFocusPolicy(Qt::NoFocus);
    setButtonKind(m_pill, ButtonKind::Primary);
    setSmall(m_pill);
    m_pill->setIcon(icon(QStringLiteral("arrow-down"), Colour::OnAccent));
    m_pill->setIconSize({13, 13});
    m_pill->setProperty("trainyardPill", true);
    m_pill->hide();
    connect(m_pill, &QPushButton::clicked, this, [this] { setFollowing(true); });

    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    // Both run on the worker's thread, which ends before this does.
    connect(
        m_worker, &LogWorker::indexed, m_worker, [this](int generation, const LogIndex::Delta &delta, bool complete) {
            threads::callLater(this, [=, this] { onIndexed(generation, delta, complete); });
        });
    connect(m_worker, &LogWorker::found, m_worker,
        [this](int generation, const QList<qint64> &lines, qint64 hits, bool done) {
            threads::callLater(this, [=, this] { onFound(generation, lines, hits, done); });
        });
    m_thread.setObjectName(QStringLiteral("log"));
    m_thread.start(QThread::LowPriority);
}

LogView::~LogView()
{
    ++m_sourceGeneration;
    ++m_searchGeneration;
    m_thread.quit();
    m_thread.wait();
    threads::take();
}

void LogView::setSource(const LogSourceFactory &factory)
{
    const int generation = ++m_sourceGeneration;
    m_lines.setSource(factory ? factory() : nullptr);
    m_complete = false;
    m_widest = 0;
    m_seenLines = 0;
    m_anchor = m_caret = {};
    m_hitLines.clear();
    m_hits = 0;
    m_currentHit = -1;
    updateScrollBars();
    updatePill();
    viewport()->update();
    threads::callLater(m_worker, [worker = m_worker, generation, factory] { worker->open(generation, factory); });
    if (!m_query.isEmpty()) {
        const LogQuery again = m_query;
        m_query = {};
        search(again);
    }
    Q_EMIT sizeChanged(0, 0);
    Q_EMIT selectionChanged();
}

void LogView::onIndexed(int generation, const LogIndex::Delta &delta, bool complete)
{
    if (generation != m_sourceGeneration) {
        return;
    }
    m_lines.apply(delta);
    if (delta.reset) {
        m_seenLines = std::min(m_seenLines, lineCount());
    }
    const bool finished = complete && !m_complete;
    m_complete = complete;
    updateScrollBars();
    updatePill();
    viewport()->update();
    m_lateRepaint->start(); // the index of times is written a little after the text
    Q_EMIT sizeChanged(lineCount(), byteCount());
    if (finished) {
        Q_EMIT completed();
    }
}

int LogView::rowsInSight() const { return std::max(1, viewport()->height() / m_rowHeight); }
int LogView::gutterWidth() const { return (m_times ? timeWidth : 8) + markWidth; }

void LogView::updateScrollBars()
{
    m_adjusting = true;
    const qint64 rows = rowsInSight();
    const qint64 last = std::max<qint64>(0, lineCount() - rows);
    QScrollBar *bar = verticalScrollBar();
    bar->setPageStep(int(rows));
    bar->setSingleStep(1);
    bar->setRange(0, int(std::min<qint64>(last, INT_MAX - 1)));
    if (m_following) {
        bar->setValue(bar->maximum());
    }
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 4);
    horizontalScrollBar()->setRange(0, std::max(0, m_widest + gutterWidth() + 16 - viewport()->width()));
    static_cast<HitBar *>(bar)->setHits(&m_hitLines, lineCount(), m_currentHit);
    m_adjusting = false;
}

void LogView::updatePill()
{
    const qint64 fresh = newLines();
    if (fresh <= 0) {
        m_pill->hide();
        return;
    }
    m_pill->setText(tr("%Ln new line(s)", nullptr, int(std::min<qint64>(fresh, INT_MAX))));
    m_pill->resize(m_pill->sizeHint().width() + 8, 24);
    m_pill->move(viewport()->width() - m_pill->width() - 16, viewport()->height() - m_pill->height() - 12);
    m_pill->show();
    m_pill->raise();
}

void LogView::setFollowing(bool on)
{
    if (m_following != on) {
        m_following = on;
        m_seenLines = lineCount();
        Q_EMIT followingChanged(on);
    }
    updateScrollBars();
    updatePill();
    viewport()->update();
}

void LogView::setTimesVisible(bool on)
{
    m_times = on;
    updateScrollBars();
    viewport()->update();
}

qint64 LogView::topLine() const { return verticalScrollBar()->value(); }
QString LogView::lineText(qint64 line) const { return decodeLine(m_lines.line(line)).text; }

QString LogView::text(qint64 first, qint64 count) const
{
    QStringList lines;
    qint64 size = 0;
    for (qint64 i = first; i < std::min(first + count, lineCount()) && size < copyLimit; ++i) {
        lines.append(lineText(i));
        size += lines.constLast().size();
    }
    return lines.join(QLatin1Char('\n'));
}

void LogView::showLine(qint64 line)
{
    setFollowing(false);
    const qint64 rows = rowsInSight();
    if (line < topLine() || line >= topLine() + rows - 1) {
        verticalScrollBar()->setValue(int(std::clamp<qint64>(line - rows / 3, 0, verticalScrollBar()->maximum())));
    }
    viewport()->update();
}

std::pair<LogView::Position, LogView::Position> LogView::selection() const
{
    return m_anchor < m_caret ? std::pair(m_anchor, m_caret) : std::pair(m_caret, m_anchor);
}

bool LogView::hasSelection() const { return m_anchor != m_caret; }

QString LogView::selectedText() const
{
    const auto [from, to] = selection();
    if (from.line == to.line) {
        return lineText(from.line).mid(from.column, to.column - from.column);
    }
    QString result = lineText(from.line).mid(from.column);
    for (qint64 line = from.line + 1; line < to.line && result.size() < copyLimit; ++line) {
        result += QLatin1Char('\n') + lineText(line);
    }
    return result + QLatin1Char('\n') + lineText(to.line).left(to.column);
}

void LogView::copy()
{
    if (hasSelection()) {
        QGuiApplication::clipboard()->setText(selectedText());
    }
}

void LogView::selectAll()
{
    m_anchor = {};
    const qint64 last = std::max<qint64>(0, lineCount() - 1);
    m_caret = {last, lineText(last).size()};
    viewport()->update();
    Q_EMIT selectionChanged();
}

void LogView::search(const LogQuery &query)
{
    if (m_query == query && !query.isEmpty()) {
        return;
    }
    m_query = query;
    m_expression = query.expression();
    m_hitLines.clear();
    m_hits = 0;
    m_currentHit = -1;
    m_searchDone = query.isEmpty();
    const int generation = ++m_searchGeneration;
    threads::callLater(m_worker, [worker = m_worker, generation, query] { worker->search(generation, query); });
    updateScrollBars();
    viewport()->update();
    Q_EMIT searchChanged();
}

void LogView::onFound(int generation, const QList<qint64> &lines, qint64 hits, bool done)
{
    if (generation != m_searchGeneration) {
        return;
    }
    if (!lines.isEmpty() && !m_hitLines.isEmpty() && lines.constFirst() <= m_hitLines.constLast()) {
        m_hitLines.clear(); // the log was replaced and is searched again
    }
    const bool first = m_hitLines.isEmpty();
    m_hitLines += lines;
    m_hits = hits;
    m_searchDone = done;
    if (m_currentHit < 0 && !m_hitLines.isEmpty()) {
        // The first hit from where the user looks, without moving anything that is in sight.
        const qint64 top = topLine();
        for (qsizetype i = first ? 0 : m_hitLines.size() - lines.size(); i < m_hitLines.size(); ++i) {
            if (m_hitLines.at(i) >= top) {
                m_currentHit = i;
                break;
            }
        }
        if (m_currentHit < 0 && done) {
            goToHit(m_hitLines.size() - 1);
        }
    }
    updateScrollBars();
    viewport()->update();
    Q_EMIT searchChanged();
}

void LogView::goToHit(qint64 number)
{
    if (m_hitLines.isEmpty()) {
        return;
    }
    m_currentHit = (number % m_hitLines.size() + m_hitLines.size()) % m_hitLines.size();
    showLine(m_hitLines.at(m_currentHit));
    updateScrollBars();
    Q_EMIT searchChanged();
}

void LogView::nextHit() { goToHit(m_currentHit + 1); }
void LogView::previousHit() { goToHit(m_currentHit - 1); }

QColor LogView::terminalColour(int code) const
{
    if (code >= 0x1000000) {
        // As asked for, but legible on our ground.
        QColor wanted = QColor::fromRgb(QRgb(code & 0xffffff));
        const QColor ground = colour(Colour::Surface, this);
        const QColor text = colour(Colour::Text, this);
        for (int i = 0; i < 4 && contrast(wanted, ground) < 3; ++i) {
            wanted = mixed(text, wanted, 0.3);
        }
        return wanted;
    }
    switch (code % 8) {
    case 0:
        return colour(code == 8 ? Colour::Muted : Colour::Text, this);
    case 1:
        return colour(Colour::Failed, this);
    case 2:
        return colour(Colour::Succeeded, this);
    case 3:
        return colour(Colour::Waiting, this);
    case 4:
        return colour(Colour::Accent, this);
    case 5:
        return colour(Colour::Lost, this);
    case 6:
        return colour(Colour::SyntaxKey, this);
    default:
        return colour(Colour::Text, this);
    }
}

void LogView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setFont(font());
    painter.fillRect(event->rect(), colour(Colour::Surface, this));
    const int widestBefore = m_widest;
    const int textLeft = gutterWidth() - horizontalScrollBar()->value();
    const qint64 top = topLine();
    const qint64 last = std::min(lineCount(), top + viewport()->height() / m_rowHeight + 2);
    // At the end the last line stands at the bottom edge, whole.
    int y = 0;
    if (verticalScrollBar()->value() == verticalScrollBar()->maximum() && lineCount() > rowsInSight()) {
        y = viewport()->height() - rowsInSight() * m_rowHeight;
    }
    for (qint64 line = top; line < last; ++line, y += m_rowHeight) {
        paintLine(painter, line, y, textLeft);
    }
    if (m_widest != widestBefore) {
        QMetaObject::invokeMethod(this, &LogView::updateScrollBars, Qt::QueuedConnection);
    }
}

void LogView::paintLine(QPainter &painter, qint64 number, int y, int textLeft)
{
    const RawLine raw = m_lines.line(number);
    const LogText line = decodeLine(raw);
    const QRect row(0, y, viewport()->width(), m_rowHeight);
    const auto origin = m_lines.source() ? m_lines.source()->originAt(raw.offset) : std::nullopt;
    const bool isError = origin && origin->isError;
    const QFontMetrics fm(painter.font());
    const QColor plain = colour(isError ? Colour::Waiting : Colour::Text, this);
    const bool isUpdating = raw.isProgress && number + 1 == lineCount() && !m_complete;
    if (isUpdating) {
        painter.fillRect(row, colour(Colour::Hover, this));
    }
    painter.save();
    painter.setClipRect(row.adjusted(gutterWidth() - 2, 0, 0, 0));
    const auto xOf = [&](qsizetype column) { return textLeft + fm.horizontalAdvance(line.text.left(column)); };
    const auto band = [&](qsizetype from, qsizetype to) {
        const int left = xOf(from);
        return QRect(left, y, xOf(to) - left, m_rowHeight);
    };
    const auto [from, to] = selection();
    if (from != to && from.line <= number && number <= to.line) {
        const qsizetype begin = from.line == number ? from.column : 0;
        const qsizetype end = to.line == number ? to.column : line.text.size();
        QRect selected = band(begin, end);
        if (to.line != number) {
            selected.setWidth(selected.width() + fm.averageCharWidth());
        }
        painter.fillRect(selected, palette().color(QPalette::Highlight));
    }
    struct Hit {
        qsizetype begin, end;
        bool current;
    };
    QList<Hit> hits;
    if (!m_query.isEmpty() && m_expression.isValid()) {
        const bool current = m_currentHit >= 0 && m_hitLines.value(m_currentHit, -1) == number;
        auto matches = m_expression.globalMatch(line.text);
        while (matches.hasNext()) {
            const auto match = matches.next();
            if (match.capturedLength() > 0) {
                const bool first = current && hits.isEmpty();
                hits.append({match.capturedStart(), match.capturedEnd(), first});
                stylepaint::roundedBox(&painter,
                    QRectF(band(match.capturedStart(), match.capturedEnd())).adjusted(-1, 1, 1, -1), 2,
                    colour(first ? Colour::CurrentHit : Colour::Hit, this), {});
            }
        }
    }
    const int baseline = y + (m_rowHeight + fm.ascent() - fm.descent()) / 2;
    int x = textLeft;
    const auto draw = [&](qsizetype begin, qsizetype length, const QColor &ink, bool bold) {
        if (bold != painter.font().bold()) {
            QFont f = painter.font();
            f.setBold(bold);
            painter.setFont(f);
        }
        const QString part = line.text.mid(begin, length);
        painter.setPen(ink);
        painter.drawText(QPoint(x, baseline), part);
        x += fm.horizontalAdvance(part);
    };
    if (line.runs.isEmpty()) {
        draw(0, line.text.size(), plain, false);
    } else {
        for (const LogText::Run &run : line.runs) {
            draw(run.begin, run.length, run.colour < 0 ? plain : terminalColour(run.colour), run.bold);
        }
    }
    painter.setFont(font());
    for (const Hit &hit : std::as_const(hits)) {
        if (hit.current) { // dark on the strong ground, in both themes
            painter.setPen(colour(Colour::OnCurrentHit, this));
            painter.drawText(QPoint(xOf(hit.begin), baseline), line.text.mid(hit.begin, hit.end - hit.begin));
        }
    }
    if (raw.isCut) {
        painter.setPen(colour(Colour::Muted, this));
        painter.drawText(
            QPoint(x + 8, baseline), tr("… %1 more bytes").arg(QLocale().toString(raw.length - raw.bytes.size())));
        x += 160;
    }
    m_widest = std::max(m_widest, x - textLeft);
    painter.restore();

    if (isError) {
        painter.fillRect(QRect(gutterWidth() - markWidth - 2, y, 2, m_rowHeight), colour(Colour::Waiting, this));
        painter.setFont(fonts::tiny());
        painter.setPen(colour(Colour::Waiting, this));
        painter.drawText(QRect(gutterWidth() - markWidth + 1, y, 8, m_rowHeight), Qt::AlignCenter, QStringLiteral("e"));
        painter.setFont(font());
    }
    if (isUpdating) {
        paintIcon(&painter, QStringLiteral("update"), QRectF(gutterWidth() - 15, y + (m_rowHeight - 11) / 2.0, 11, 11),
            colour(Colour::Muted, this));
    }
    if (m_times && origin) {
        painter.setPen(colour(Colour::Muted, this));
        const QString time
            = QDateTime::fromMSecsSinceEpoch(origin->timeNs / 1'000'000).toString(QStringLiteral("HH:mm:ss.zzz"));
        painter.drawText(QRect(12, y, timeWidth, m_rowHeight), Qt::AlignVCenter | Qt::AlignLeft, time);
    }
}

void LogView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
    updatePill();
}

void LogView::scrollContentsBy(int, int dy)
{
    if (!m_adjusting && dy != 0) {
        const bool atEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
        if (atEnd != m_following) {
            setFollowing(atEnd);
        }
    }
    viewport()->update();
}

void LogView::wheelEvent(QWheelEvent *event)
{
    // Up lets go even when everything is in sight.
    if (event->angleDelta().y() > 0 && m_following && !m_complete) {
        setFollowing(false);
    }
    QAbstractScrollArea::wheelEvent(event);
}

void LogView::keyPressEvent(QKeyEvent *event)
{
    QScrollBar *bar = verticalScrollBar();
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (event->key() == Qt::Key_Home) {
        bar->setValue(0);
        setFollowing(false);
    } else if (event->key() == Qt::Key_End) {
        setFollowing(true);
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp) {
        setFollowing(false);
        bar->triggerAction(
            event->key() == Qt::Key_Up ? QScrollBar::SliderSingleStepSub : QScrollBar::SliderPageStepSub);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

LogView::Position LogView::positionAt(const QPoint &point) const
{
    int y = point.y();
    if (verticalScrollBar()->value() == verticalScrollBar()->maximum() && lineCount() > rowsInSight()) {
        y -= viewport()->height() - rowsInSight() * m_rowHeight;
    }
    const qint64 row = y < 0 ? -1 : y / m_rowHeight;
    const qint64 line = std::clamp<qint64>(topLine() + row, 0, std::max<qint64>(0, lineCount() - 1));
    const QString text = lineText(line);
    const QFontMetrics fm(font());
    const int x = point.x() - gutterWidth() + horizontalScrollBar()->value();
    qsizetype low = 0;
    qsizetype high = text.size();
    while (low < high) { // advances only grow
        const qsizetype middle = (low + high) / 2;
        if (fm.horizontalAdvance(text.left(middle + 1)) - fm.averageCharWidth() / 2 <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return {line, low};
}

void LogView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_caret = positionAt(event->pos());
    if (!event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_anchor = m_caret;
    }
    m_selecting = true;
    viewport()->update();
    Q_EMIT selectionChanged();
}

void LogView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_selecting) {
        return;
    }
    m_caret = positionAt(event->pos());
    const bool outside = event->pos().y() < 0 || event->pos().y() > viewport()->height();
    if (outside && m_autoScroll == 0) {
        m_autoScroll = startTimer(40);
    } else if (!outside && m_autoScroll != 0) {
        killTimer(m_autoScroll);
        m_autoScroll = 0;
    }
    viewport()->update();
    Q_EMIT selectionChanged();
}

void LogView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_autoScroll) {
        QAbstractScrollArea::timerEvent(event);
        return;
    }
    const QPoint at = viewport()->mapFromGlobal(QCursor::pos());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + (at.y() < 0 ? -2 : 2));
    m_caret = positionAt(at);
    viewport()->update();
}

void LogView::mouseReleaseEvent(QMouseEvent *)
{
    m_selecting = false;
    if (m_autoScroll != 0) {
        killTimer(m_autoScroll);
        m_autoScroll = 0;
    }
    if (hasSelection() && QGuiApplication::clipboard()->supportsSelection()) {
        QGuiApplication::clipboard()->setText(selectedText(), QClipboard::Selection);
    }
}

void LogView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const Position at = positionAt(event->pos());
    const QString text = lineText(at.line);
    const auto isWord = [&](qsizetype i) {
        return i >= 0 && i < text.size()
            && (text.at(i).isLetterOrNumber() || QStringView(u"_-./").contains(text.at(i)));
    };
    qsizetype begin = at.column;
    qsizetype end = at.column;
    while (isWord(begin - 1)) {
        --begin;
    }
    while (isWord(end)) {
        ++end;
    }
    m_anchor = {at.line, begin};
    m_caret = {at.line, end};
    viewport()->update();
    Q_EMIT selectionChanged();
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
    QAction *follow = menu->addAction(tr("Follow the end"), this, [this] { setFollowing(!m_following); });
    follow->setCheckable(true);
    follow->setChecked(m_following);
    QAction *times = menu->addAction(tr("Times"), this, [this] { setTimesVisible(!m_times); });
    times->setCheckable(true);
    times->setChecked(m_times);
    menu->popup(event->globalPos());
}

void LogView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_rowHeight = std::max(metrics::logLine, fontMetrics().height() + 1);
        m_widest = 0;
        updateScrollBars();
    }
}

void LogView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    threads::callLater(m_worker, [worker = m_worker] { worker->setWatching(true); });
}

void LogView::hideEvent(QHideEvent *event)
{
    QAbstractScrollArea::hideEvent(event);
    threads::callLater(m_worker, [worker = m_worker] { worker->setWatching(false); });
}

} // namespace trainyard
