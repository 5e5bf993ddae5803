// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/commandsfield.h"

#include "model/base/utf8.h"
#include "widgets/common/labels.h"
#include "widgets/common/quietwheel.h"
#include "widgets/common/style.h"
#include "widgets/common/textsize.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/scintilla.h"
#include "widgets/editor/suggester.h"
#include "widgets/form/fieldframe.h"
#include "widgets/form/formcontext.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int numberMargin = 26;
constexpr int holdMs = 60;

using S = QsciScintillaBase;

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
        const qsizetype next = m_view->SendScintilla(S::SCI_MARKERNEXT, uat(line + 1), 1L << CodeView::ItemMark);
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

CommandsField::Shown CommandsField::shownOf(const QStringList &items)
{
    Shown shown{items.join(u'\n').toUtf8(), {}};
    qsizetype line = 0;
    for (const QString &item : items) {
        shown.firsts.push_back(line);
        line += item.count(u'\n') + 1;
    }
    return shown;
}

// Items that are not text are shown as they are written.
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
        const bool there = m_view->SendScintilla(S::SCI_MARKERGET, uat(at)) & (1 << CodeView::ItemMark);
        if (isFirst != there) {
            // A line may have inherited several from lines that went away.
            m_view->SendScintilla(
                isFirst ? S::SCI_MARKERADD : S::SCI_MARKERDELETE, uat(at), isFirst ? long(CodeView::ItemMark) : -1L);
        }
    }
    m_view->SendScintilla(S::SCI_GOTOPOS, uat(std::min(caret, m_view->byteCount())));
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
    const QVariant refused = context()->refused(path());
    if (!refused.isValid() && node && node->isSequence() && node->style == YamlNode::Style::Block
        && bytes == m_shownBytes && m_view->revision() == m_shownRevision && !bytes.contains('*')) {
        return;
    }
    m_documentItems = context()->texts(path());
    const Shown wanted = refused.isValid() ? shownOf(refused.toStringList()) : documentShown(node);
    const Shown seen = m_view->revision() == m_shownRevision ? m_shown : viewShown();
    if (seen != wanted && hasRoomOnly(wanted)) {
        m_shown = seen; // a user who is typing keeps the empty line
    } else {
        if (seen != wanted) {
            show(wanted);
        }
        m_shown = wanted;
        m_hasRoom = false;
    }
    m_shownBytes = refused.isValid() ? QByteArray() : bytes;
    m_shownRevision = m_view->revision();
    updateMargin();
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
            const long length = m_view->SendScintilla(S::SCI_MARGINGETTEXT, uat(line), static_cast<void *>(nullptr));
            if (length < 15) {
                m_view->SendScintilla(S::SCI_MARGINGETTEXT, uat(line), static_cast<void *>(present.data()));
                present.truncate(length);
            }
            if (present != text) {
                m_view->SendScintilla(S::SCI_MARGINSETTEXT, uintptr_t(line), text.constData());
                m_view->SendScintilla(S::SCI_MARGINSETSTYLE, uat(line), long(S::STYLE_LINENUMBER));
            }
        }
    }
}

} // namespace trainyard
