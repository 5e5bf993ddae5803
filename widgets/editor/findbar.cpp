// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/findbar.h"

#include "model/base/utf8.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

namespace trainyard
{
namespace
{

QToolButton *tool(const QString &iconName, const QString &tip, const char *objectName)
{
    auto *button = new QToolButton;
    button->setIcon(icon(iconName));
    button->setIconSize({metrics::smallIcon, metrics::smallIcon});
    button->setToolTip(plainTip(tip));
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setObjectName(QLatin1String(objectName));
    return button;
}

} // namespace

FindBar::FindBar(CodeView *view, QWidget *parent) : QFrame(parent), m_view(view)
{
    setObjectName(QStringLiteral("findBar"));
    setAutoFillBackground(true);
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(metrics::space2, metrics::space1, metrics::space2, metrics::space1);
    rows->setSpacing(metrics::space1);

    auto *findRow = new QHBoxLayout;
    findRow->setSpacing(metrics::space1);
    m_showReplace = tool(QStringLiteral("chevron-right"), tr("Show replace"), "findShowReplace");
    m_showReplace->setCheckable(true);
    m_pattern = new QLineEdit;
    m_pattern->setObjectName(QStringLiteral("findPattern"));
    m_pattern->setPlaceholderText(tr("Find"));
    m_pattern->setAccessibleName(tr("Find"));
    m_pattern->setClearButtonEnabled(true);
    m_count = plainLabel();
    m_count->setObjectName(QStringLiteral("findCount"));
    m_count->setFont(fonts::small());
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(QStringLiteral("0000 of 0000")));
    m_case = tool(QStringLiteral("match-case"), tr("Match case"), "findMatchCase");
    m_case->setCheckable(true);
    m_regex = tool({}, tr("Regular expression"), "findRegex");
    m_regex->setIcon({});
    m_regex->setText(QStringLiteral(".*"));
    m_regex->setCheckable(true);
    auto *up = tool(QStringLiteral("chevron-up"), tr("Previous (Shift+F3)"), "findPrevious");
    auto *down = tool(QStringLiteral("chevron-down"), tr("Next (F3)"), "findNext");
    auto *close = tool(QStringLiteral("close"), tr("Close (Esc)"), "findClose");
    findRow->addWidget(m_showReplace);
    findRow->addWidget(m_pattern, 1);
    findRow->addWidget(m_case);
    findRow->addWidget(m_regex);
    findRow->addWidget(m_count);
    findRow->addWidget(up);
    findRow->addWidget(down);
    findRow->addWidget(close);
    rows->addLayout(findRow);

    m_replaceRow = new QWidget;
    auto *replaceRow = new QHBoxLayout(m_replaceRow);
    replaceRow->setContentsMargins(metrics::field + metrics::space1, 0, 0, 0);
    replaceRow->setSpacing(metrics::space1);
    m_replacement = new QLineEdit;
    m_replacement->setObjectName(QStringLiteral("findReplacement"));
    m_replacement->setPlaceholderText(tr("Replace with"));
    m_replacement->setAccessibleName(tr("Replace with"));
    m_replace = new QPushButton(tr("Replace"));
    m_replace->setObjectName(QStringLiteral("findReplace"));
    m_replaceAll = new QPushButton(tr("Replace all"));
    m_replaceAll->setObjectName(QStringLiteral("findReplaceAll"));
    for (QPushButton *button : {m_replace, m_replaceAll}) {
        setSmall(button);
        button->setFocusPolicy(Qt::TabFocus);
    }
    replaceRow->addWidget(m_replacement, 1);
    replaceRow->addWidget(m_replace);
    replaceRow->addWidget(m_replaceAll);
    rows->addWidget(m_replaceRow);
    m_replaceRow->hide();

    m_pattern->installEventFilter(this);
    m_replacement->installEventFilter(this);
    connect(m_pattern, &QLineEdit::textChanged, this, [this] { search(true); });
    connect(m_case, &QToolButton::toggled, this, [this] { search(true); });
    connect(m_regex, &QToolButton::toggled, this, [this] { search(true); });
    connect(up, &QToolButton::clicked, this, &FindBar::previous);
    connect(down, &QToolButton::clicked, this, &FindBar::next);
    connect(close, &QToolButton::clicked, this, &FindBar::closeBar);
    connect(m_replace, &QPushButton::clicked, this, &FindBar::replaceOne);
    connect(m_replaceAll, &QPushButton::clicked, this, &FindBar::replaceAll);
    connect(m_showReplace, &QToolButton::toggled, this, [this](bool on) {
        m_showReplace->setIcon(icon(on ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
        m_replaceRow->setVisible(on);
    });
    // The marks follow what is typed, a moment later.
    auto *later = new QTimer(this);
    later->setSingleShot(true);
    later->setInterval(120);
    connect(later, &QTimer::timeout, this, [this] {
        if (m_stale && isVisible()) {
            search(false);
        }
    });
    connect(m_view, &CodeView::bytesChanged, this, [this, later] {
        m_stale = true;
        if (isVisible()) {
            later->start();
        }
    });
    // From the text that is looked for to what stands instead of it: what is typed after Tab belongs there.
    const QList<QWidget *> order{m_pattern, m_replacement, m_case, m_regex, up, down, m_replace, m_replaceAll, close};
    for (qsizetype i = 1; i < order.size(); ++i) {
        setTabOrder(order.at(i - 1), order.at(i));
    }
    hide();
}

void FindBar::open(bool replace)
{
    const qsizetype begin = m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONSTART);
    const qsizetype end = m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONEND);
    if (end > begin && end - begin < 200 && m_view->lineOf(begin) == m_view->lineOf(end)) {
        m_pattern->setText(textFromUtf8(m_view->bytesIn({begin, end})));
    }
    if (replace) {
        m_showReplace->setChecked(true);
    }
    m_showReplace->setVisible(!m_view->isReadOnly());
    m_replace->setEnabled(!m_view->isReadOnly());
    m_replaceAll->setEnabled(!m_view->isReadOnly());
    show();
    m_pattern->setFocus(Qt::ShortcutFocusReason);
    m_pattern->selectAll();
    search(false);
}

void FindBar::closeBar()
{
    hide();
    m_hits.clear();
    m_current = -1;
    m_view->clearIndicator(CodeView::SearchHit);
    m_view->clearIndicator(CodeView::SearchCurrent);
    Q_EMIT hitsChanged({});
    m_view->setFocus();
}

void FindBar::search(bool jump)
{
    const SearchResult result
        = findAll(m_view->allBytes(), m_pattern->text(), {m_regex->isChecked(), m_case->isChecked()});
    m_hits = result.hits;
    m_bad = result.badPattern;
    m_cut = result.cut;
    m_stale = false;
    m_current = -1;
    m_view->clearIndicator(CodeView::SearchHit);
    m_view->clearIndicator(CodeView::SearchCurrent);
    QList<qsizetype> lines;
    for (const ByteRange &hit : std::as_const(m_hits)) {
        m_view->fillIndicator(CodeView::SearchHit, hit);
        const qsizetype line = m_view->lineOf(hit.begin);
        if (lines.isEmpty() || lines.last() != line) {
            lines.append(line);
        }
    }
    setFieldError(m_pattern, m_bad);
    Q_EMIT hitsChanged(lines);
    if (jump && !m_hits.isEmpty()) {
        const qsizetype from = m_view->SendScintilla(QsciScintillaBase::SCI_GETSELECTIONSTART);
        qsizetype index = 0;
        while (index < m_hits.size() && m_hits.at(index).begin < from) {
            ++index;
        }
        showHit(index % m_hits.size());
    } else {
        updateCount();
    }
}

void FindBar::next()
{
    if (m_stale || m_hits.isEmpty()) {
        search(true);
    } else {
        showHit((m_current + 1) % m_hits.size());
    }
}

void FindBar::previous()
{
    if (m_stale) {
        search(true);
    }
    if (!m_hits.isEmpty()) {
        showHit((std::max<qsizetype>(m_current, 0) + m_hits.size() - 1) % m_hits.size());
    }
}

void FindBar::showHit(qsizetype index)
{
    m_current = index;
    m_view->clearIndicator(CodeView::SearchCurrent);
    m_view->fillIndicator(CodeView::SearchCurrent, m_hits.at(index));
    m_view->select(m_hits.at(index));
    updateCount();
}

void FindBar::updateCount()
{
    QString text;
    if (m_bad) {
        text = tr("Not a regular expression");
    } else if (m_pattern->text().isEmpty()) {
        text.clear();
    } else if (m_hits.isEmpty()) {
        text = tr("Not found");
    } else if (m_current >= 0) {
        text = m_cut ? tr("%1 of many").arg(m_current + 1) : tr("%1 of %2").arg(m_current + 1).arg(m_hits.size());
    } else {
        text = m_cut ? tr("Many") : tr("%n hit(s)", nullptr, int(m_hits.size()));
    }
    m_count->setText(text);
}

QByteArray FindBar::replacementFor(ByteRange hit) const
{
    const ByteRange lines{m_view->lineStart(m_view->lineOf(hit.begin)), m_view->lineEnd(m_view->lineOf(hit.end))};
    return replacementOf(m_view->bytesIn(lines), {hit.begin - lines.begin, hit.end - lines.begin}, m_pattern->text(),
        {m_regex->isChecked(), m_case->isChecked()}, m_replacement->text());
}

void FindBar::replaceOne()
{
    if (m_stale) {
        search(true);
    }
    if (m_hits.isEmpty() || m_view->isReadOnly()) {
        return;
    }
    const ByteRange hit = m_hits.at(std::max<qsizetype>(m_current, 0));
    const QByteArray text = replacementFor(hit);
    m_view->applyEdits({{hit, text}}, Origin::Text);
    m_view->setCaret(hit.begin + text.size());
    search(true);
}

void FindBar::replaceAll()
{
    if (m_stale) {
        search(false);
    }
    if (m_view->isReadOnly()) {
        return;
    }
    // Also those that are too many to be marked.
    const TextEdits edits = replacingAll(
        m_view->allBytes(), m_pattern->text(), {m_regex->isChecked(), m_case->isChecked()}, m_replacement->text());
    const qsizetype count = edits.size();
    m_view->applyEdits(edits, Origin::Text);
    search(false);
    m_count->setText(tr("%n replaced", nullptr, int(count)));
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape) {
            closeBar();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (watched == m_replacement) {
                replaceOne();
            } else if (key->modifiers() & Qt::ShiftModifier) {
                previous();
            } else {
                next();
            }
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace trainyard
