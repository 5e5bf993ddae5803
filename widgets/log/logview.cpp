// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logview.h"

#include "model/base/threads.h"
#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/log/logview_p.h"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

namespace trainyard
{
using namespace logview;

namespace
{
// Where hits are in the whole log: a strip beside the scroll bar, whose thumb stays in sight.
class HitStrip final : public QWidget
{
public:
    HitStrip(LogView *view, const LogHits *hits) : QWidget(view), m_view(view), m_hits(hits)
    {
        setObjectName(QStringLiteral("hitStrip"));
        setCursor(Qt::PointingHandCursor);
        setAttribute(Qt::WA_NoMousePropagation);
    }
    void setHits(qint64 count, qint64 current)
    {
        m_count = count;
        m_current = current;
        m_rows.reset();
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), colour(Colour::Surface, this));
        if (!m_rows || m_rowsFor != height()) {
            m_rowsFor = height();
            m_rows = m_hits->marks(height() - 2, m_count);
        }
        for (const int row : std::as_const(*m_rows)) {
            painter.fillRect(1, row, width() - 2, 2, colour(Colour::CurrentHit, this));
        }
        if (m_current >= 0 && m_count > 0) {
            painter.fillRect(0, int(m_current * (height() - 2) / m_count), width(), 3, colour(Colour::Failed, this));
        }
    }
    void mousePressEvent(QMouseEvent *event) override
    {
        m_view->showLine(qint64(event->position().y()) * m_count / std::max(1, height()));
    }

private:
    LogView *m_view;
    const LogHits *m_hits;
    std::optional<QList<int>> m_rows;
    int m_rowsFor = 0;
    qint64 m_count = 0;
    qint64 m_current = -1; // its line
};
} // namespace

LogView::LogView(QWidget *parent)
    : QAbstractScrollArea(parent), m_worker(new LogWorker(&m_sourceGeneration, &m_searchGeneration)),
      m_pill(new QPushButton(viewport())), m_marks(new HitStrip(this, &m_hitLines)), m_lateRepaint(new QTimer(this))
{
    m_lateRepaint->setSingleShot(true);
    m_lateRepaint->setInterval(200);
    connect(m_lateRepaint, &QTimer::timeout, viewport(), qOverload<>(&QWidget::update));
    qRegisterMetaType<LogIndex::Delta>();
    qRegisterMetaType<LogQuery>();
    qRegisterMetaType<LogSourceFactory>("trainyard::LogSourceFactory");
    qRegisterMetaType<QList<qint64>>();
    qRegisterMetaType<LogHits::Stretch>();
    setViewportMargins(0, 0, markStrip, 0);
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
        [this](int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines, bool done) {
            threads::callLater(this, [=, this] { onFound(generation, stretch, lines, done); });
        });
    connect(m_worker, &LogWorker::hitsRead, m_worker,
        [this](int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines) {
            threads::callLater(this, [=, this] { onHitsRead(generation, stretch, lines); });
        });
    connect(m_worker, &LogWorker::errorFound, m_worker, [this](int generation, qint64 line) {
        threads::callLater(this, [=, this] {
            if (generation == m_sourceGeneration) {
                if (line >= 0) {
                    showLine(line);
                    m_anchor = {line, 0};
                    m_caret = {line, lineText(line).size()}; // seen among others that are red
                    Q_EMIT selectionChanged();
                }
                Q_EMIT errorShown(line >= 0);
            }
        });
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
    const Top end = m_wrapped ? endTop() : Top{std::max<qint64>(0, lineCount() - rows), 0};
    const qint64 last = end.line;
    QScrollBar *bar = verticalScrollBar();
    bar->setPageStep(int(rows));
    bar->setSingleStep(1);
    bar->setRange(0, int(std::min<qint64>(last, INT_MAX - 1)));
    if (m_following) {
        bar->setValue(bar->maximum());
        m_topRow = end.row;
    }
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 4);
    horizontalScrollBar()->setRange(
        0, m_wrapped ? 0 : std::max(0, m_widest + gutterWidth() + 16 - viewport()->width()));
    static_cast<HitStrip *>(m_marks)->setHits(lineCount(), m_currentHit >= 0 ? hitLine(m_currentHit) : -1);
    const QRect area = viewport()->geometry();
    m_marks->setGeometry(area.right() + 1, area.top(), markStrip, area.height());
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

void LogView::setWrapped(bool on)
{
    if (m_wrapped != on) {
        const qint64 top = topLine();
        m_wrapped = on;
        m_topRow = 0;
        updateScrollBars();
        if (!m_following) {
            m_adjusting = true;
            verticalScrollBar()->setValue(int(top));
            m_adjusting = false;
        }
        viewport()->update();
    }
}

QRect LogView::lineRect(qint64 line) const
{
    QRect rect;
    const QList<Row> rows = rowsInView();
    for (const Row &row : rows) {
        if (row.line == line) {
            rect |= QRect(0, row.y, viewport()->width(), m_rowHeight);
        }
    }
    return rect & viewport()->rect();
}

void LogView::showFirstError()
{
    threads::callLater(
        m_worker, [worker = m_worker, generation = m_sourceGeneration.load()] { worker->findError(generation); });
}

void LogView::showLine(qint64 line)
{
    setFollowing(false);
    const qint64 rows = rowsInSight();
    if (m_wrapped) {
        const QRect rect = lineRect(line);
        if (rect.isEmpty() || rect.bottom() >= viewport()->height() - m_rowHeight) {
            m_adjusting = true;
            verticalScrollBar()->setValue(int(std::clamp<qint64>(line, 0, verticalScrollBar()->maximum())));
            m_topRow = 0;
            m_adjusting = false;
            scrollRows(-int(rows / 3));
        }
        viewport()->update();
        return;
    }
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
    m_currentHit = -1;
    m_searchDone = query.isEmpty();
    const int generation = ++m_searchGeneration;
    threads::callLater(m_worker, [worker = m_worker, generation, query] { worker->search(generation, query); });
    updateScrollBars();
    viewport()->update();
    Q_EMIT searchChanged();
}

void LogView::onFound(int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines, bool done)
{
    if (generation != m_searchGeneration) {
        return;
    }
    if (stretch.begin == 0 && stretch.end > 0 && m_hitLines.blockCount() > 0) {
        m_hitLines.clear(); // the log was replaced and is searched again
        m_currentHit = -1;
    }
    const qint64 before = m_hitLines.count();
    m_hitLines.append(stretch, lines);
    m_searchDone = done;
    if (m_currentHit < 0 && m_hitLines.count() > 0) {
        // The first hit from where the user looks, without moving anything that is in sight.
        const auto at = std::lower_bound(lines.cbegin(), lines.cend(), topLine());
        if (at != lines.cend()) {
            m_currentHit = before + (at - lines.cbegin());
        } else if (done) {
            goToHit(m_hitLines.count() - 1);
        }
    }
    updateScrollBars();
    viewport()->update();
    Q_EMIT searchChanged();
}

void LogView::onHitsRead(int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines)
{
    if (generation == m_searchGeneration) {
        m_hitLines.keep(stretch, lines);
        if (m_hitLines.line(m_currentHit)) { // asked for once: the log may be another one by now
            showHit();
        }
    }
}

void LogView::goToHit(qint64 number)
{
    if (m_hitLines.count() == 0) {
        return;
    }
    m_currentHit = (number % m_hitLines.count() + m_hitLines.count()) % m_hitLines.count();
    showHit();
    Q_EMIT searchChanged();
}

void LogView::showHit()
{
    const std::optional<qint64> line = m_hitLines.line(m_currentHit);
    if (!line) {
        const auto stretch = m_hitLines.stretchOf(m_currentHit);
        threads::callLater(m_worker, [worker = m_worker, generation = m_searchGeneration.load(), stretch] {
            if (stretch) {
                worker->readHits(generation, *stretch);
            }
        });
        return;
    }
    showLine(*line);
    const QString text = lineText(*line);
    if (const auto match = m_expression.match(text); match.hasMatch() && !m_wrapped) {
        // Scrolls sideways as well, so that a little of the text before it is visible.
        const int begin = fontMetrics().horizontalAdvance(text.left(match.capturedStart()));
        const int end = fontMetrics().horizontalAdvance(text.left(match.capturedEnd()));
        m_widest = std::max(m_widest, fontMetrics().horizontalAdvance(text));
        updateScrollBars();
        QScrollBar *bar = horizontalScrollBar();
        const int room = viewport()->width() - gutterWidth() - 16;
        const int margin = std::min(room / 4, fontMetrics().averageCharWidth() * 16);
        if (end - bar->value() > room || begin < bar->value()) {
            bar->setValue(end + margin <= room ? 0 : std::max(0, std::min(begin - margin, end + margin - room)));
            if (begin < bar->value() || end - bar->value() > room) {
                bar->setValue(std::max(0, begin - margin)); // longer than there is room for
            }
        }
    }
    updateScrollBars();
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
        m_topRow = m_wrapped && atEnd ? endTop().row : 0;
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
