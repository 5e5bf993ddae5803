// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/filterfield.h"

#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/text/filtertexts.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDateTime>
#include <QFocusEvent>
#include <QStringListModel>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{
constexpr int mostCandidates = 10; // in sight
} // namespace

FilterField::FilterField(const QString &placeholder, QWidget *parent)
    : QWidget(parent), m_field(new SearchField(SearchField::Kind::Filter, placeholder)),
      m_error(new ColourLabel({}, Colour::Failed)), m_remark(new ColourLabel({}, Colour::Muted)),
      m_candidates(new QStringListModel(this)), m_completer(new QCompleter(m_candidates, this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::space1);
    layout->addWidget(m_field);
    layout->addWidget(m_error);
    layout->addWidget(m_remark);
    for (ColourLabel *below : {m_error, m_remark}) {
        below->setWordWrap(true);
        below->setFont(fonts::small());
        below->hide();
    }
    m_field->installEventFilter(this);
    m_completer->setWidget(m_field);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setMaxVisibleItems(mostCandidates);
    connect(m_completer, QOverload<const QString &>::of(&QCompleter::activated), this, &FilterField::insert);
    connect(m_field, &QLineEdit::textChanged, this, &FilterField::read);
    connect(m_field, &QLineEdit::textEdited, this, &FilterField::complete);
    connect(m_field, &SearchField::moveRequested, this, [this](int rows) {
        if (rows > 0) {
            Q_EMIT listRequested();
        }
    });
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        if (!m_filter.isEmpty() && !m_completer->popup()->isVisible()) { // there, it chooses a candidate
            Q_EMIT firstRequested();
        }
    });
}

QString FilterField::text() const { return m_field->text(); }

void FilterField::setText(const QString &text)
{
    m_completer->popup()->hide(); // its candidates are those of another text
    m_field->setText(text);
}

void FilterField::setWords(const std::function<FilterWords()> &words) { m_words = words; }

QString FilterField::errorText() const { return m_error->isHidden() ? QString() : m_error->text(); }

void FilterField::setRemark(const QString &text)
{
    m_remark->setText(text);
    m_remark->setVisible(!text.isEmpty());
}

QString FilterField::remark() const { return m_remark->isHidden() ? QString() : m_remark->text(); }

// Without the word that is being typed when it may become a key: the list does not go empty before the colon.
QString FilterField::settledText() const
{
    const QString text = m_field->text();
    const qsizetype begin = filterTermAt(text, text.size());
    const QString word = text.sliced(begin);
    const QStringList keys = filterKeys();
    const bool isKey = !word.isEmpty() && std::any_of(keys.cbegin(), keys.cend(), [&word](const QString &key) {
        return key.startsWith(word, Qt::CaseInsensitive);
    });
    return m_field->hasFocus() && isKey ? text.first(begin) : text;
}

void FilterField::read()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const QString text = settledText();
    Result<JobFilter> filter = JobFilter::parse(text, now);
    const bool isBeingTyped
        = !filter && m_field->hasFocus() && filter.error().args.value(QLatin1String("unfinished")).toBool();
    m_error->setText(filter ? QString() : filterErrorText(filter.error()));
    m_error->setVisible(!filter && !isBeingTyped);
    if (!filter) {
        const qsizetype at = filter.error().args.value(QLatin1String("at")).toInteger();
        filter = JobFilter::parse(text.first(filterTermAt(text, at)), now);
    }
    if (filter) {
        const Result<JobFilter> whole = JobFilter::parse(withNamesOfCauses(text), now);
        m_filter = whole ? *whole : *filter;
        Q_EMIT filterChanged();
    }
}

void FilterField::complete()
{
    const FilterCompletion found
        = filterCompletion(m_field->text(), m_field->cursorPosition(), m_words ? m_words() : FilterWords());
    m_candidates->setStringList(found.words);
    if (found.words.isEmpty()) {
        m_completer->popup()->hide();
    } else {
        m_completer->complete();
    }
}

void FilterField::insert(const QString &word)
{
    const QString text = m_field->text();
    const qsizetype caret = m_field->cursorPosition();
    const qsizetype from = filterCompletion(text, caret, {}).from;
    // A key or a name goes on; a value is followed by the next condition.
    const bool isValue = (from > 0 && (text.at(from - 1) == QLatin1Char(':') || text.at(from - 1) == QLatin1Char(',')))
        || (word.contains(QLatin1Char(':')) && !word.endsWith(QLatin1Char(':')));
    const QString put = isValue && caret == text.size() ? QString(word + QLatin1Char(' ')) : word;
    m_field->setText(text.first(from) + put + text.sliced(caret));
    m_field->setCursorPosition(int(from + put.size()));
}

bool FilterField::eventFilter(QObject *watched, QEvent *event)
{
    // A text that was started and left is not being typed any more. The list of candidates takes the focus as well.
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent *>(event)->reason() != Qt::PopupFocusReason) {
        read();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace trainyard
