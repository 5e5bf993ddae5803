// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logview.h"

#include "model/base/threads.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/log/logview_p.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>

namespace trainyard
{
using namespace logview;

namespace
{
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

void LogView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update(); // its ring
}

void LogView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace trainyard
