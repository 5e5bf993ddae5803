// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/wordsfield.h"

#include "widgets/common/chip.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/popup.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int wordsWidth = 300;
constexpr int knownInSight = 6; // rows of what is known; more are scrolled

// From the line down into the list, and from there back to the line.
class ListKeys final : public QObject
{
public:
    ListKeys(QLineEdit *line, QListWidget *list) : QObject(list), m_line(line), m_list(list)
    {
        line->installEventFilter(this);
        list->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        const int key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent *>(event)->key() : 0;
        if (watched == m_line && key == Qt::Key_Down && m_list->count() > 0) {
            m_list->setCurrentRow(0);
            m_list->setFocus();
            return true;
        }
        if (watched == m_list && key == Qt::Key_Up && m_list->currentRow() <= 0) {
            m_line->setFocus();
            return true;
        }
        return QObject::eventFilter(watched, event);
    }

private:
    QLineEdit *m_line;
    QListWidget *m_list;
};

} // namespace

WordsField::WordsField(FormContext *context, const YamlPath &path, const Look &look, QWidget *parent)
    : ChipsField(context, path, parent), m_look(look)
{
}

bool WordsField::isList() const
{
    const YamlNode *node = context()->node(path());
    return node && node->isSequence();
}

QStringList WordsField::words() const
{
    if (isList()) {
        return context()->texts(path());
    }
    const std::optional<QString> text = context()->text(path());
    return text ? QStringList(*text) : QStringList();
}

bool WordsField::covers(const YamlPath &place) const
{
    return ChipsField::covers(place) || (!path().isEmpty() && m_covers && m_covers(place));
}

void WordsField::setEmptyHelp(const QString &help)
{
    m_emptyHelp = help;
    updateHelp();
}

void WordsField::updateHelp() { setHelp(words().isEmpty() && !path().isEmpty() ? m_emptyHelp : QString()); }

void WordsField::refresh()
{
    const QStringList now = words();
    updateHelp();
    const QList<Known> all = known();
    QStringList shown = now;
    for (const Known &each : all) {
        shown.append(each.word + u'\n' + each.what);
    }
    shown.append(context()->isReadOnly() ? QStringLiteral("r") : QStringLiteral("w"));
    shown.append(path().toPointer());
    if (shown == m_shown) {
        return;
    }
    m_shown = shown;
    const bool focused = isFocusInChips();
    QLayout *flow = m_chips->layout();
    clearChips();
    for (qsizetype i = 0; i < now.size(); ++i) {
        const QString &word = now.at(i);
        const auto found
            = std::find_if(all.cbegin(), all.cend(), [&word](const Known &each) { return each.word == word; });
        auto *chip = new Chip(word);
        chip->setObjectName(m_look.name + u'_' + QString::number(i));
        chip->setIconName(m_look.icon);
        chip->setDetail(found == all.cend() ? QString() : found->what);
        chip->setRemovable(!context()->isReadOnly());
        chip->setToolTip(tr("A click changes it, and Delete removes it."));
        watchFocus(chip, isList() ? path().child(i) : path());
        connect(chip, &Chip::clicked, this, [this, i, chip] { edit(i, chip); });
        connect(chip, &Chip::removeRequested, this, [this, i, word] { removeWord(i, word); });
        flow->addWidget(chip);
        chip->show(); // now: it may have to take the focus
    }
    if (!context()->isReadOnly()) {
        Chip *adder = Chip::adder(m_look.adding);
        adder->setObjectName(m_look.name + QStringLiteral("Add"));
        adder->setToolTip(plainTip(m_look.adding));
        watchFocus(adder, path());
        connect(adder, &Chip::clicked, this, [this, adder] { edit(-1, adder); });
        flow->addWidget(adder);
        adder->show();
        if (focused) {
            adder->setFocus();
        }
    }
}

// Known words that are not in the field yet and match the typed text.
void WordsField::fillList(QListWidget *list, const QString &typed, const QString &present) const
{
    const QStringList used = words();
    const QList<Known> all = known();
    list->clear();
    for (const Known &each : all) {
        const bool fits = typed == present || each.word.contains(typed, Qt::CaseInsensitive);
        if (used.contains(each.word) || !fits) {
            continue;
        }
        auto *item
            = new QListWidgetItem(each.what.isEmpty() ? each.word : each.word + QStringLiteral("   ") + each.what);
        item->setData(Qt::UserRole, each.word);
        list->addItem(item);
    }
    list->setFixedHeight(std::clamp(list->count(), 1, knownInSight) * metrics::row + 2);
    list->setVisible(list->count() > 0);
}

void WordsField::edit(qsizetype index, QWidget *beside)
{
    if (context()->isReadOnly()) {
        return;
    }
    const QString present = words().value(index);
    auto *popup = new Popup(this);
    popup->setObjectName(m_look.name + QStringLiteral("Popup"));
    auto *column = new QVBoxLayout(popup);
    column->setContentsMargins(metrics::space2, metrics::space2, metrics::space2, metrics::space2);
    column->setSpacing(metrics::space2);
    auto *row = new QHBoxLayout;
    row->setSpacing(metrics::space2);
    auto *line = new QLineEdit(present);
    line->setObjectName(m_look.name + QStringLiteral("Text"));
    line->setPlaceholderText(m_look.example);
    line->setAccessibleName(m_look.adding);
    line->setMinimumWidth(wordsWidth);
    auto *done = new QPushButton(index < 0 ? tr("Add") : tr("Done"));
    done->setObjectName(m_look.name + QStringLiteral("Done"));
    done->setDefault(true);
    row->addWidget(line, 1);
    row->addWidget(done);
    column->addLayout(row);
    auto *list = new QListWidget;
    list->setObjectName(m_look.name + QStringLiteral("List"));
    list->setAccessibleName(tr("Known"));
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setTextElideMode(Qt::ElideRight);
    list->viewport()->setAutoFillBackground(false); // it is part of the panel
    column->addWidget(list);
    new ListKeys(line, list);
    fillList(list, present, present);
    const auto write = [this, popup, line, index, present] {
        const bool isTaken = take(line->text(), index, present);
        setFieldError(line, !isTaken);
        if (isTaken) {
            popup->close();
        }
        return isTaken;
    };
    popup->setTyping([line, present] { return line->text() != present && !line->text().trimmed().isEmpty(); }, write);
    connect(line, &QLineEdit::textEdited, popup, [this, popup, list, present, line](const QString &typed) {
        setFieldError(line, false);
        fillList(list, typed.trimmed(), present);
        popup->adjustSize();
    });
    connect(line, &QLineEdit::returnPressed, popup, &Popup::finish);
    connect(done, &QPushButton::clicked, popup, &Popup::finish);
    const auto choose = [popup, line](const QListWidgetItem *item) {
        line->setText(item->data(Qt::UserRole).toString());
        popup->finish();
    };
    connect(list, &QListWidget::itemClicked, popup, choose);
    connect(list, &QListWidget::itemActivated, popup, choose);
    popup->openBelow(beside);
    line->setFocus();
    line->selectAll();
}

// Edits that are still on their way into the text may have moved the word; -1: it is not there any more.
qsizetype WordsField::placeNow(qsizetype index, const QString &word)
{
    context()->catchUp();
    const QStringList now = words();
    return now.value(index) == word ? index : now.indexOf(word);
}

// In place of a word that has gone meanwhile, what was typed is added.
bool WordsField::take(const QString &typed, qsizetype index, const QString &before)
{
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    QStringList wanted = m_look.splits ? typed.split(between, Qt::SkipEmptyParts) : QStringList(typed.trimmed());
    wanted.removeAll(QString());
    if (wanted.isEmpty()) {
        return false;
    }
    index = index < 0 ? index : placeNow(index, before);
    context()->catchUp();
    const QStringList present = words();
    QList<edit::Op> ops;
    if (index < 0) {
        wanted.removeIf([&present](const QString &word) { return present.contains(word); });
        wanted.removeDuplicates();
        ops = wanted.isEmpty() ? ops : insertOps(wanted);
    } else if (index < present.size() && present.at(index) != wanted.constFirst()) {
        ops.append(edit::SetText{isList() ? path().child(index) : path(), wanted.constFirst()});
    }
    context()->edit(ops);
    return true;
}

QList<edit::Op> WordsField::insertOps(const QStringList &added) const
{
    const YamlNode *node = context()->node(path());
    QStringList all = added;
    qsizetype at = 0;
    QList<edit::Op> ops;
    if (isList()) {
        at = context()->count(path());
    } else if (node) {
        all = words() + added; // a text alone, or nothing yet behind the key
        ops.append(edit::SetValue{path(), "[]"});
    }
    for (const QString &word : std::as_const(all)) {
        ops.append(edit::InsertText{path().child(at++), word});
    }
    return ops;
}

void WordsField::removeWord(qsizetype pressed, const QString &word)
{
    const qsizetype index = placeNow(pressed, word);
    if (index < 0) {
        return;
    }
    // An empty entry disappears, as the language requires it.
    const bool isLast = !isList() || context()->count(path()) == 1;
    context()->edit({edit::Remove{isLast ? path() : path().child(index)}});
}

} // namespace trainyard
