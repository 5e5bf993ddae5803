// SPDX-License-Identifier: GPL-3.0-or-later
// The caret and the form show the same place, and what leads there.
#include "model/base/utf8.h"
#include "widgets/common/infobar.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"
#include "widgets/form/designerpage_p.h"
#include "widgets/form/documentcontroller.h"
#include "widgets/form/valuestable.h"

#include <utility>

namespace trainyard
{
namespace
{

// The place to which a fix gives null because only the user knows its value; empty: there is none.
YamlPath leftOpen(const Fix &fix)
{
    for (const edit::Op &op : fix.ops) {
        if (const auto *value = std::get_if<edit::SetValue>(&op); value && value->flowYaml == "null") {
            return value->path;
        }
    }
    return {};
}

} // namespace

// The caret marks its field. The form follows only when the user goes somewhere in the text: when a fix, an undo or
// typing moves the caret, a form that scrolls or opens a section puts something else below the pointer. A text that
// cannot be read has no certain positions, and the form shows the previous text.
void DesignerPage::Private::handleCaret(qsizetype offset)
{
    movedByEdit = false;
    if (!controller->isCurrent()) {
        return;
    }
    const bool isPlaced = offset == placedCaret;
    placedCaret = isPlaced ? placedCaret : -1;
    const bool follow = std::exchange(followsCaret, false) && !formHasFocus() && !isPlaced;
    if (movingCaret && formHasFocus()) {
        return;
    }
    const YamlDocument &document = controller->document().outcome().document;
    if (!document.root()) {
        return;
    }
    // In front of the text of a line one is at what stands there, dashes and all.
    const CodeView *view = editor->view();
    const qsizetype line = view->lineOf(offset);
    const qsizetype end = view->lineEnd(line);
    qsizetype text = view->lineStart(line);
    while (text < end && (view->byteAt(text) == ' ' || (view->byteAt(text) == '-' && view->byteAt(text + 1) == ' '))) {
        ++text;
    }
    // At the very beginning, or where a new document has it, the user has not looked for anything yet: a document that
    // opens shows its head, not About.
    form->showPlace(
        document.pathAt(text < end ? std::max(offset, text) : offset), follow && offset > 0 && !lock.isOn());
}

void DesignerPage::Private::handleFieldFocus(const YamlPath &path)
{
    if (!controller->isCurrent()) {
        controller->parseNow();
    }
    const YamlDocument &document = controller->document().outcome().document;
    const YamlNode *node = document.find(path);
    YamlPath place = path;
    while (!node && !place.isEmpty()) {
        place = place.parent();
        node = document.find(place);
    }
    if (!node || place.isEmpty()) {
        return;
    }
    const std::optional<ByteRange> key = document.keyRange(place);
    // To the value's end where it is on the line of its key, as if one had clicked there; else to the key.
    qsizetype offset = key ? key->begin : node->at.begin;
    const bool simple = node->kind == YamlNode::Kind::Scalar && node->style != YamlNode::Style::Literal
        && node->style != YamlNode::Style::Folded && place == path;
    if (simple && node->at.length() > 0) {
        offset = node->at.end;
    }
    movingCaret = true;
    moveCaret([&] { editor->setCaret(offset); });
    form->showPlace(path, false);
}

// A user of the form looks at the lines of the text, not for its caret: that may be at the end of a long one.
void DesignerPage::Private::moveCaret(const std::function<void()> &move)
{
    using S = QsciScintillaBase;
    const long left = editor->view()->SendScintilla(S::SCI_GETXOFFSET);
    move();
    if (formHasFocus()) {
        editor->view()->SendScintilla(S::SCI_SETXOFFSET, static_cast<unsigned long>(left));
    }
}

void DesignerPage::Private::jump(ByteRange range)
{
    if (mode == ViewMode::Form) {
        q->setViewMode(ViewMode::Both);
    }
    movingCaret = false;
    editor->remember();
    editor->setFocus();
    editor->setCaret(range.begin);
    movedByEdit = false;
    followsCaret = true; // also where the caret is there already
    caretTimer->start();
}

void DesignerPage::Private::jumpToPath(const YamlPath &path)
{
    const YamlDocument &document = controller->document().outcome().document;
    const YamlNode *node = document.find(path);
    if (!node) {
        return;
    }
    const std::optional<ByteRange> key = document.keyRange(path);
    jump(key ? *key : node->at);
}

void DesignerPage::Private::applyFix(const Fix &fix)
{
    context->commitPending();
    const bool inForm = mode == ViewMode::Form || formHasFocus();
    const Result<void> done = controller->apply(fix, [this, inForm, open = leftOpen(fix)](const Result<void> &made) {
        if (made && !open.isEmpty()) {
            fillIn(open, inForm);
        }
    });
    if (!done) {
        showRefused(done.error());
        controller->parseNow();
    }
}

// Goes to a value that the user has to write now, where the user is: what is typed next replaces what stands there.
void DesignerPage::Private::fillIn(const YamlPath &path, bool inForm)
{
    if (inForm) {
        form->showPlace(path, true);
        if (auto *table = qobject_cast<ValuesTable *>(context->fieldAt(path)); table && path.size() > 1) {
            const auto *key = std::get_if<QString>(&path.at(path.size() - 1));
            table->editKey(key ? *key : QString());
        }
        return;
    }
    if (const YamlNode *node = controller->document().outcome().document.find(path)) {
        jump(node->at);
        editor->select(node->at);
    }
}

std::optional<Fix> DesignerPage::Private::firstFix()
{
    controller->parseNow();
    for (const Diagnostic &diagnostic : controller->document().outcome().diagnostics) {
        if (diagnostic.severity == Severity::Error) {
            return diagnostic.fixes.isEmpty() ? std::nullopt : std::optional(diagnostic.fixes.first());
        }
    }
    return {};
}

} // namespace trainyard
