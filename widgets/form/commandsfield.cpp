// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/commandsfield.h"

#include "model/base/utf8.h"
#include "widgets/common/labels.h"
#include "widgets/common/quietwheel.h"
#include "widgets/common/style.h"
#include "widgets/common/textsize.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/suggester.h"
#include "widgets/form/fieldframe.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/shelllines.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int numberMargin = 26;
constexpr int calmLines = 6; // without the focus: what is below stays in sight
constexpr int holdMs = 60;

using S = QsciScintillaBase;

unsigned long uline(qsizetype line) { return static_cast<unsigned long>(line); }

// What the editor shows of an item: the line end of a block text is not a line of its own.
QString shownText(const QString &item) { return item.endsWith(u'\n') ? item.chopped(1) : item; }

} // namespace

CommandsField::CommandsField(FormContext *context, const YamlPath &path, QWidget *parent)
    : TypedField(context, path, parent), m_view(new CodeView(CodeView::Language::Bash)),
      m_frame(new FieldFrame(m_view)), m_tidy(new QTimer(this))
{
    setControl(m_frame);
    m_elsewhere = new QWidget;
    m_whyLocked = smallMutedLabel(QString());
    m_whyLocked->setObjectName(QStringLiteral("commandsLocked"));
    m_whyLocked->setWordWrap(true);
    auto *way = new QPushButton(tr("Show in YAML"));
    way->setObjectName(QStringLiteral("commandsInYaml"));
    setSmall(way);
    connect(way, &QPushButton::clicked, this, [this] { Q_EMIT this->context()->jumpRequested(this->path()); });
    auto *across = new QHBoxLayout(m_elsewhere);
    across->setContentsMargins(0, 3, 0, 0);
    across->addWidget(m_whyLocked, 1);
    across->addWidget(way, 0, Qt::AlignTop);
    layout()->addWidget(m_elsewhere);
    m_elsewhere->hide();
    m_rest = smallMutedLabel(QString());
    m_rest->setObjectName(QStringLiteral("commandsRest"));
    m_rest->setBuddy(m_view);
    m_rest->hide();
    layout()->addWidget(m_rest);
    setFocusProxy(m_view);
    m_view->setObjectName(QStringLiteral("commandsText"));
    m_view->setAccessibleName(tr("Commands"));
    m_view->setToolTip(tr("Enter: next command, or next line of a loop, a here-document or a text of several commands. "
                          "Shift+Enter: another line of the same command. Ctrl+Enter: always a new command."));
    m_view->setWrapMode(QsciScintilla::WrapWord);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // as high as its text: room to spare is not its own
    m_view->setWrapIndentMode(QsciScintilla::WrapIndentIndented);
    m_view->SendScintilla(S::SCI_SETHSCROLLBAR, false);
    m_view->setMarginType(0, QsciScintilla::TextMarginRightJustified);
    m_view->setMarginWidth(0, numberMargin);
    m_view->setMarginMarkerMask(0, 0);
    m_view->setMarginWidth(1, 0);
    m_view->SendScintilla(S::SCI_SETMARGINLEFT, 0UL, 6L);
    m_view->markerDefine(QsciScintilla::Invisible, CodeView::ItemMark);
    m_view->markerDefine(QsciScintilla::Invisible, CodeView::EmptiedMark);
    m_view->SendScintilla(S::SCI_SETENDATLASTLINE, true);
    // Tab leaves the field: commands are indented with spaces.
    m_view->SendScintilla(S::SCI_CLEARCMDKEY, static_cast<unsigned long>(S::SCK_TAB));
    m_view->SendScintilla(S::SCI_CLEARCMDKEY, static_cast<unsigned long>(S::SCK_TAB | (S::SCMOD_SHIFT << 16)));
    m_view->installEventFilter(this);
    scrollOnlyWithFocus(m_view);
    m_placeholder = smallMutedLabel(QString(), m_view->viewport());
    m_placeholder->move(numberMargin + 8, 1);
    m_placeholder->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_placeholder->hide();
    connect(m_view, &CodeView::bytesChanged, this, [this](Origin origin) {
        if (origin == Origin::Text) {
            typed();
        }
    });
    // Not within Scintilla's painting: a change of size there would take its surface away.
    m_tidy->setSingleShot(true);
    m_tidy->setInterval(0);
    connect(m_tidy, &QTimer::timeout, this, [this] {
        updateMargin();
        if (!m_view->hasFocus() && this->context()->holdsStill()) {
            m_tidy->start(holdMs); // what is pressed below stays where it is
        } else {
            updateHeight();
        }
    });
    connect(m_view, &S::SCN_UPDATEUI, m_tidy, [this] { m_tidy->start(0); });
    connect(m_view, &S::SCN_ZOOM, m_tidy, [this] { m_tidy->start(0); });
    connect(m_view, &CodeView::caretMoved, this, [this](qsizetype offset) {
        const qsizetype item = itemAt(m_view->lineOf(offset));
        if (m_view->hasFocus() && item != m_shownItem && item < m_documentItems.size()) {
            m_shownItem = item;
            Q_EMIT this->context()->fieldFocused(this->path().child(item));
        }
    });
    // Last, so that the keys of an open list are its own.
    m_suggester = new Suggester(m_view, [this](const QByteArray &text, qsizetype caret) {
        return commandSuggestionsAt(text, caret, this->path(), {this->context()->spec(), nullptr, {}});
    });
    show({});
}

void CommandsField::setLines(int least, int most)
{
    m_least = least;
    m_most = most;
    updateHeight();
}

void CommandsField::setPlaceholder(const QString &text)
{
    m_placeholder->setText(text);
    m_placeholder->adjustSize();
}

void CommandsField::setError(bool error) { m_frame->setError(error); }

QList<std::pair<qsizetype, qsizetype>> CommandsField::itemLines() const
{
    QList<std::pair<qsizetype, qsizetype>> all;
    const qsizetype lines = m_view->lines();
    qsizetype line = 0;
    while (line >= 0 && line < lines) {
        const qsizetype next = m_view->SendScintilla(S::SCI_MARKERNEXT, uline(line + 1), 1L << CodeView::ItemMark);
        all.append({line, next < 0 ? lines : next});
        line = next;
    }
    return all;
}

QStringList CommandsField::items() const
{
    QStringList all;
    for (const auto &[first, end] : itemLines()) {
        all.append(textFromUtf8(m_view->bytesIn({m_view->lineStart(first), m_view->lineEnd(end - 1)})));
    }
    // One empty line is an empty editor, not an empty command.
    if (all.size() == 1 && all.first().isEmpty() && m_documentItems.isEmpty()) {
        all.clear();
    }
    return all;
}

qsizetype CommandsField::itemAt(qsizetype line) const
{
    const auto all = itemLines();
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (line < all.at(i).second) {
            return i;
        }
    }
    return all.size() - 1;
}

// Only the lines that differ: all of a long list would be laid out again.
std::pair<qsizetype, qsizetype> CommandsField::replaceText(const QByteArray &text)
{
    const QByteArray old = m_view->allBytes();
    const qsizetype shorter = std::min(old.size(), text.size());
    qsizetype head = std::mismatch(old.cbegin(), old.cbegin() + shorter, text.cbegin()).first - old.cbegin();
    head = head > 0 ? old.lastIndexOf('\n', head - 1) + 1 : 0;
    qsizetype tail = 0;
    while (tail < shorter - head && old.at(old.size() - 1 - tail) == text.at(text.size() - 1 - tail)) {
        ++tail;
    }
    while (tail > 0 && old.at(old.size() - tail) != '\n') {
        --tail;
    }
    const bool wasReadOnly = m_view->isReadOnly();
    m_view->setReadOnly(false);
    m_view->applyEdits({{{head, old.size() - tail}, text.mid(head, text.size() - tail - head)}}, Origin::Disk);
    m_view->setReadOnly(wasReadOnly);
    m_view->SendScintilla(S::SCI_EMPTYUNDOBUFFER);
    m_view->SendScintilla(S::SCI_SETSAVEPOINT);
    return {m_view->lineOf(head), m_view->lineOf(text.size() - tail)};
}

// What is no text is shown as it is written.
CommandsField::Shown CommandsField::documentShown(const YamlNode *node) const
{
    Shown shown;
    if (!node || node->isNull()) {
        return shown;
    }
    const auto textOf = [this](const YamlNode *value) {
        const YamlNode *meant = value->resolved();
        return meant->kind == YamlNode::Kind::Scalar
            ? meant->scalar
            : context()->document().bytes().sliced(meant->at.begin, meant->at.length());
    };
    if (!node->isSequence()) {
        return {textOf(node), {0}};
    }
    shown.text.reserve(node->at.length());
    shown.firsts.reserve(node->entries.size());
    qsizetype line = 0;
    for (const YamlNode::Entry &entry : node->entries) {
        const QByteArray scalar = textOf(entry.value);
        const QByteArrayView item = QByteArrayView(scalar).first(scalar.size() - (scalar.endsWith('\n') ? 1 : 0));
        if (!shown.firsts.empty()) {
            shown.text += '\n';
        }
        shown.text += item;
        shown.firsts.push_back(line);
        line += item.count('\n') + 1;
    }
    return shown;
}

CommandsField::Shown CommandsField::viewShown() const
{
    Shown shown{m_view->allBytes(), {}};
    for (const auto &[first, end] : itemLines()) {
        shown.firsts.push_back(first);
    }
    // One empty line is an empty editor, not an empty command.
    if (shown.text.isEmpty() && m_documentItems.isEmpty()) {
        shown.firsts.clear();
    }
    return shown;
}

void CommandsField::show(const Shown &wanted)
{
    const qsizetype caret = m_view->caret();
    const long top = m_view->SendScintilla(S::SCI_GETFIRSTVISIBLELINE);
    // Where only the text of lines is another one, marks elsewhere are right.
    const bool sameLines = m_view->revision() == m_shownRevision && wanted.firsts == m_shown.firsts;
    const qsizetype before = m_view->lines();
    const auto [first, last] = replaceText(wanted.text);
    const bool some = sameLines && before == m_view->lines();
    const qsizetype begin = some ? first : 0;
    const qsizetype end = some ? last + 1 : m_view->lines();
    auto next = std::lower_bound(wanted.firsts.begin(), wanted.firsts.end(), begin);
    for (qsizetype at = begin; at < end; ++at) {
        const bool isFirst = next != wanted.firsts.end() && *next == at;
        next += isFirst ? 1 : 0;
        const bool there = m_view->SendScintilla(S::SCI_MARKERGET, uline(at)) & (1 << CodeView::ItemMark);
        if (isFirst != there) {
            // A line may have inherited several from lines that went away.
            m_view->SendScintilla(
                isFirst ? S::SCI_MARKERADD : S::SCI_MARKERDELETE, uline(at), isFirst ? long(CodeView::ItemMark) : -1L);
        }
    }
    m_view->SendScintilla(S::SCI_GOTOPOS, uline(std::min(caret, m_view->byteCount())));
    m_view->SendScintilla(S::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(top));
    updateHeight();
}

// Whether the text in view is what the document has, and empty lines besides, and the user is typing there.
bool CommandsField::hasRoomOnly(const Shown &wanted) const
{
    if (!m_hasRoom || !m_view->hasFocus()) {
        return false;
    }
    const Reading reading = read(Commit::Pause);
    return reading.hasRoom && reading.items.size() == qsizetype(wanted.firsts.size())
        && reading.items.join(u'\n').toUtf8() == wanted.text;
}

void CommandsField::sayWhyLocked(const QString &why)
{
    m_whyLocked->setText(why);
    if (m_elsewhere->isHidden() != why.isEmpty()) {
        m_elsewhere->setVisible(!why.isEmpty());
        m_frame->setReadOnly(!why.isEmpty());
        m_view->setGround(why.isEmpty() ? Colour::Field : Colour::Window);
    }
}

void CommandsField::refresh()
{
    if (isPending()) {
        return;
    }
    const YamlNode *node = context()->node(path());
    bool simple = !node || node->isNull() || node->isSequence();
    if (node && node->isSequence()) {
        for (const YamlNode::Entry &entry : node->entries) {
            simple = simple && entry.value->resolved()->kind == YamlNode::Kind::Scalar;
        }
    }
    m_view->setReadOnly(context()->isReadOnly() || !simple);
    sayWhyLocked(simple          ? QString()
            : node->isSequence() ? tr("Not every command is text. They can be changed only in the YAML.")
                                 : tr("The commands are not a list. They can be changed only in the YAML."));
    // Long lists are compared only when there is something to compare.
    const QByteArray bytes = node ? context()->document().bytes().mid(node->at.begin, node->at.length()) : QByteArray();
    if (node && node->isSequence() && node->style == YamlNode::Style::Block && bytes == m_shownBytes
        && m_view->revision() == m_shownRevision && !bytes.contains('*')) {
        return;
    }
    m_documentItems = context()->texts(path());
    const Shown wanted = documentShown(node);
    const Shown seen = m_view->revision() == m_shownRevision ? m_shown : viewShown();
    if (seen != wanted && hasRoomOnly(wanted)) {
        m_shown = seen; // whoever is typing keeps the empty line
    } else {
        if (seen != wanted) {
            show(wanted);
        }
        m_shown = wanted;
        m_hasRoom = false;
    }
    m_shownBytes = bytes;
    m_shownRevision = m_view->revision();
    updateMargin();
}

// Blank lines that are new are no commands of their own. Those at the end are room to type in, as are all while
// the user types; once that is over, one between two commands makes a text of both, in which it stands as it was typed.
// What is left of a command whose text was deleted is none of these: it goes with its command.
CommandsField::Reading CommandsField::read(Commit when) const
{
    Reading reading;
    const QStringList now = items();
    const auto places = itemLines();
    const QStringList &before = m_documentItems;
    const auto isEmptied = [this](qsizetype line) {
        return (m_view->SendScintilla(S::SCI_MARKERGET, uline(line)) & (1 << CodeView::EmptiedMark)) != 0;
    };
    const auto isBlank = [](const QString &item) { return item.trimmed().isEmpty(); };
    const auto isOld = [&](qsizetype i, qsizetype old) {
        return old >= 0 && old < before.size() && now.at(i) == shownText(before.at(old));
    };
    qsizetype head = 0;
    while (head < now.size() && isOld(head, head)) {
        ++head;
    }
    qsizetype tail = now.size();
    while (tail > head && before.size() - (now.size() - tail) > head
        && isOld(tail - 1, before.size() - 1 - (now.size() - tail))) {
        --tail;
    }
    const qsizetype oldEnd = before.size() - (now.size() - tail);
    const bool hadBlank = std::any_of(before.begin() + head, before.begin() + std::max(head, oldEnd), isBlank);
    qsizetype last = now.size(); // behind what is no room at the end
    while (!hadBlank && last > head && last <= tail && isBlank(now.at(last - 1))) {
        --last;
    }
    reading.hasRoom = last < now.size();
    const bool noneIsNew = tail <= oldEnd;
    bool joins = false;
    for (qsizetype i = 0; i < last; ++i) {
        const bool blank = i >= head && i < tail && !hadBlank && isBlank(now.at(i));
        const bool emptied = blank && (noneIsNew || isEmptied(places.at(i).first));
        if (emptied) {
            reading.emptied.append(places.at(i).first);
        }
        if (blank && (when != Commit::Leave || emptied)) {
            reading.hasRoom = true;
        } else if ((blank && !reading.items.isEmpty()) || joins) {
            reading.items.last() += u'\n' + now.at(i);
            joins = blank;
        } else {
            reading.items.append(now.at(i));
            joins = blank;
        }
    }
    // In a text of several lines, too.
    if (!reading.items.isEmpty() && last > head && last <= tail && !reading.items.constLast().trimmed().isEmpty()
        && (before.isEmpty() || !shownText(before.constLast()).endsWith(u'\n'))) {
        QString &text = reading.items.last();
        while (text.endsWith(u'\n')) {
            text.chop(1);
            reading.hasRoom = true;
        }
    }
    return reading;
}

// What was room for more is no more, or is what joins two commands.
void CommandsField::commitPending()
{
    if (m_hasRoom) {
        setPending();
    }
    TypedField::commitPending();
}

void CommandsField::commit(Commit when)
{
    m_documentItems = context()->texts(path());
    const Reading reading = read(when);
    for (const qsizetype line : reading.emptied) {
        m_view->SendScintilla(S::SCI_MARKERADD, uline(line), long(CodeView::EmptiedMark)); // the document forgets it
    }
    const QStringList &now = reading.items;
    const QStringList before = m_documentItems;
    m_hasRoom = reading.hasRoom && (when != Commit::Leave || m_view->hasFocus());
    const auto written = [](const QString &text) { return text.contains(u'\n') ? text + u'\n' : text; };
    qsizetype head = 0;
    while (head < now.size() && head < before.size() && now.at(head) == shownText(before.at(head))) {
        ++head;
    }
    qsizetype tail = 0;
    while (tail < now.size() - head && tail < before.size() - head
        && now.at(now.size() - 1 - tail) == shownText(before.at(before.size() - 1 - tail))) {
        ++tail;
    }
    const qsizetype fresh = now.size() - head - tail;
    const qsizetype old = before.size() - head - tail;
    if (fresh == 0 && old == 0) {
        dropPending();
        if (when == Commit::Leave && reading.hasRoom) {
            m_shownRevision = 0; // the view has more than the document
            refresh(); // the room goes
        }
        return;
    }
    QList<edit::Op> ops;
    if (before.isEmpty()) {
        QStringList texts;
        for (const QString &item : std::as_const(now)) {
            texts.append(written(item));
        }
        if (m_creator) {
            ops = m_creator(texts);
        } else {
            for (qsizetype i = 0; i < texts.size(); ++i) {
                ops.append(edit::InsertText{path().child(i), texts.at(i)});
            }
        }
    } else if (now.isEmpty()) {
        ops.append(edit::Remove{path()});
    } else {
        const qsizetype both = std::min(fresh, old);
        for (qsizetype i = 0; i < both; ++i) {
            const QString &was = before.at(head + i);
            const QString &text = now.at(head + i);
            // The item keeps the line end it had.
            const QString whole = was.endsWith(u'\n') ? text + u'\n' : was.contains(u'\n') ? text : written(text);
            ops.append(edit::SetText{path().child(head + i), whole});
        }
        for (qsizetype i = both; i < fresh; ++i) {
            ops.append(edit::InsertText{path().child(head + i), written(now.at(head + i))});
        }
        for (qsizetype i = old - 1; i >= both; --i) {
            ops.append(edit::Remove{path().child(head + i)});
        }
    }
    send(ops);
}

bool CommandsField::continuesItem() const
{
    const qsizetype line = m_view->lineOf(m_view->caret());
    const auto all = itemLines();
    const auto &[first, end] = all.at(itemAt(line));
    const QByteArray typedText = m_view->bytesIn({m_view->lineStart(first), m_view->caret()});
    ShellLines lines;
    for (const QByteArray &each : typedText.split('\n')) {
        lines.addLine(each);
    }
    if (lines.isOpen() || line < end - 1) {
        return true;
    }
    // Behind a loop, a function or lines that backslashes join the next command is another one; a text of several
    // commands goes on.
    return end - first > 1 && !isOneCommand(typedText);
}

void CommandsField::startItem()
{
    const qsizetype line = m_view->lineOf(m_view->caret());
    const bool atStart = m_view->caret() == m_view->lineStart(line);
    m_view->SendScintilla(S::SCI_NEWLINE);
    const qsizetype now = m_view->lineOf(m_view->caret());
    m_view->SendScintilla(S::SCI_MARKERADD, uline(now), long(CodeView::ItemMark));
    if (atStart) {
        // Scintilla puts the new line before this one and moves the mark along.
        m_view->SendScintilla(S::SCI_MARKERADD, uline(now - 1), long(CodeView::ItemMark));
    }
    m_view->SendScintilla(S::SCI_SCROLLCARET);
    updateMargin();
}

bool CommandsField::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view) {
        if (event->type() == QEvent::KeyPress) {
            auto *key = static_cast<QKeyEvent *>(event);
            const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
            const Qt::KeyboardModifiers held = key->modifiers() & ~Qt::KeypadModifier;
            if (enter && !m_view->isReadOnly()) {
                if (held == Qt::ControlModifier || (!held && !continuesItem())) {
                    startItem();
                    return true;
                }
                if (held == Qt::ShiftModifier) {
                    m_view->SendScintilla(S::SCI_NEWLINE);
                    return true;
                }
            } else if (key->key() == Qt::Key_Space && held == Qt::ControlModifier) {
                m_suggester->suggest();
                return true;
            } else if (key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab) {
                focusNextPrevChild(key->key() == Qt::Key_Tab);
                return true;
            }
        } else if (event->type() == QEvent::Resize) {
            m_tidy->start(0); // another width breaks its lines elsewhere
        } else if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
            m_tidy->start(0); // whoever works here gets more lines
            if (event->type() == QEvent::FocusIn) {
                m_shownItem = itemAt(m_view->lineOf(m_view->caret()));
                if (m_shownItem < m_documentItems.size()) {
                    Q_EMIT context()->fieldFocused(path().child(m_shownItem));
                }
                m_placeholder->hide();
                return TypedField::eventFilter(watched, event) && false;
            }
        }
    }
    return TypedField::eventFilter(watched, event);
}

void CommandsField::updateMargin()
{
    const auto all = itemLines();
    const bool empty = m_view->byteCount() == 0;
    m_placeholder->setVisible(empty && !m_view->hasFocus() && !m_placeholder->text().isEmpty());
    const int digits = QString::number(all.size()).size();
    const QFontMetrics sizes(TextSize::code()->font());
    const int margin = std::max(numberMargin, sizes.horizontalAdvance(QString(digits, u'0')) + 10);
    if (m_view->marginWidth(0) != margin) {
        m_view->setMarginWidth(0, margin);
        m_placeholder->move(margin + 8, 1);
    }
    // Only what can be seen: scrolling comes here too.
    const long top = m_view->SendScintilla(S::SCI_GETFIRSTVISIBLELINE);
    const qsizetype from = m_view->SendScintilla(S::SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(top));
    const qsizetype to = from + m_view->SendScintilla(S::SCI_LINESONSCREEN) + 2;
    const auto after = [](const std::pair<qsizetype, qsizetype> &item, qsizetype line) { return item.second <= line; };
    const auto first = std::lower_bound(all.begin(), all.end(), from, after);
    for (auto item = first; item != all.end() && item->first <= to; ++item) {
        for (qsizetype line = std::max(item->first, from); line < item->second && line <= to; ++line) {
            const QByteArray text = line == item->first ? QByteArray::number(item - all.begin() + 1) : QByteArray(" ");
            QByteArray present(16, '\0');
            const long length = m_view->SendScintilla(S::SCI_MARGINGETTEXT, uline(line), static_cast<void *>(nullptr));
            if (length < 15) {
                m_view->SendScintilla(S::SCI_MARGINGETTEXT, uline(line), static_cast<void *>(present.data()));
                present.truncate(length);
            }
            if (present != text) {
                m_view->SendScintilla(S::SCI_MARGINSETTEXT, uintptr_t(line), text.constData());
                m_view->SendScintilla(S::SCI_MARGINSETSTYLE, uline(line), long(S::STYLE_LINENUMBER));
            }
        }
    }
}

void CommandsField::updateHeight()
{
    long lines = 0;
    const long all = m_view->SendScintilla(S::SCI_GETLINECOUNT);
    // Breaks the lines that wait for it: counted before, they are those of the former width.
    m_view->SendScintilla(S::SCI_ENSUREVISIBLE, uline(all - 1));
    // A few commands are shown whole, also where their lines are broken.
    const int most = m_view->hasFocus() || all <= calmLines ? m_most : std::min(m_most, calmLines);
    long whole = 0; // lines that are in sight with all of their rows
    for (long line = 0; line < all && lines < most; ++line) {
        lines += m_view->SendScintilla(S::SCI_WRAPCOUNT, uline(line));
        whole += lines <= most ? 1 : 0;
    }
    const bool isCut = !m_view->hasFocus() && whole < all;
    m_rest->setText(isCut ? tr("%n more line(s)", nullptr, int(all - whole)) : QString());
    m_rest->setVisible(isCut);
    const long height = m_view->SendScintilla(S::SCI_TEXTHEIGHT, 0UL);
    const int wanted = int(std::clamp<long>(lines, m_least, most) * height) + 2;
    if (m_view->minimumHeight() != wanted) {
        m_view->setFixedHeight(wanted);
    }
}

} // namespace trainyard
