// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/scriptsheet.h"

#include "model/base/shellquote.h"
#include "model/template/tags.h"
#include "model/yaml/yamldocument.h"
#include "widgets/common/labels.h"
#include "widgets/editor/codeoverlay.h"
#include "widgets/editor/codeview.h"
#include "widgets/tasks/scriptparts.h"

#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int scriptNumbers = 0;

qsizetype lineIn(const YamlDocument &document, qsizetype offset)
{
    return QByteArrayView(document.bytes()).first(offset).count('\n') + 1;
}

QByteArray withLineEnd(const QByteArray &code) { return code.endsWith('\n') ? code : code + '\n'; }

QString iconOfPart(const ScriptPart &part, const QString &type)
{
    switch (part.kind) {
    case ScriptPart::Kind::Commands:
        return QStringLiteral("run");
    case ScriptPart::Kind::After:
        return QStringLiteral("undo");
    case ScriptPart::Kind::Before:
        break;
    }
    return type == QLatin1StringView("data") ? QStringLiteral("database") : QStringLiteral("script");
}

// The secret of a reference; empty: it is not a reference to one.
QString secretOfReference(const QByteArray &reference)
{
    const Result<QList<TemplateTag>> tags = templateTags(QString::fromUtf8(reference));
    return tags && !tags->isEmpty() ? tags->constFirst().key.mid(QStringLiteral("$secrets.").size()) : QString();
}

// The kind of a part, its origin, and the effect of its failure.
QString detailOf(const ScriptPart &part, const PartOrigins &origins)
{
    const QString name = QString::fromUtf8(part.name);
    const qsizetype line
        = part.kind == ScriptPart::Kind::Commands ? origins.commands : origins.prerequisites.value(name);
    QStringList words;
    switch (part.kind) {
    case ScriptPart::Kind::Commands:
        words.append(origins.role.isEmpty() ? QString() : ScriptSheet::tr("role %1").arg(origins.role));
        break;
    case ScriptPart::Kind::Before:
        words.append(origins.prerequisites.contains(name) ? ScriptSheet::tr("prerequisite")
                                                          : ScriptSheet::tr("before the commands"));
        break;
    case ScriptPart::Kind::After:
        words.append(ScriptSheet::tr("after success"));
        break;
    }
    words.append(line > 0 ? ScriptSheet::tr("line %1").arg(line) : QString());
    words.append(part.isHeaded ? ScriptSheet::tr("under errexit, nounset and pipefail") : QString());
    words.append(part.isIgnored ? ScriptSheet::tr("its failure is ignored") : QString());
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
}
} // namespace

PartOrigins partOrigins(const YamlDocument &document, const QString &role)
{
    PartOrigins origins;
    origins.role = role;
    const YamlNode *root = document.root();
    const YamlNode *items = root ? root->find("prerequisites") : nullptr;
    for (const YamlNode::Entry &item : items ? items->resolved()->entries : QList<YamlNode::Entry>()) {
        const YamlNode *name = item.value->find("name");
        const YamlNode *type = item.value->find("type");
        if (name) {
            const QString key = QString::fromUtf8(name->resolved()->scalar);
            origins.prerequisites.insert(key, lineIn(document, item.value->at.begin));
            origins.types.insert(key, type ? QString::fromUtf8(type->resolved()->scalar) : QString());
        }
    }
    const YamlPath commands{QStringLiteral("taskRoles"), role, QStringLiteral("commands")};
    if (const std::optional<ByteRange> key = document.keyRange(commands)) {
        origins.commands = lineIn(document, key->begin);
    }
    return origins;
}

ScriptSheet::ScriptSheet(CodeView *view, QObject *parent)
    : QObject(parent), m_view(view), m_overlay(new CodeOverlay(view))
{
    view->viewport()->installEventFilter(this);
    connect(view, &CodeView::caretMoved, this, &ScriptSheet::leaveBar);
}

void ScriptSheet::show(
    const QByteArray &script, const ComposedRole *composed, const PartOrigins &origins, bool wantsEveryLine)
{
    const QList<ScriptPart> parts = scriptParts(script);
    m_script = script;
    m_hasParts = parts.size() > 1;
    m_starts.clear();
    m_view->setReadOnly(false);
    m_overlay->setBars({});
    if (m_hasParts && !wantsEveryLine) {
        showParts(parts, origins);
    } else {
        m_view->setAllBytes(script);
    }
    m_view->setReadOnly(true);
    number();
    markValues(parts, composed);
}

void ScriptSheet::showParts(const QList<ScriptPart> &parts, const PartOrigins &origins)
{
    QByteArray text;
    QList<CodeOverlay::Bar> bars;
    qsizetype line = 0;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        const ScriptPart &part = parts.at(i);
        const QByteArray code = withLineEnd(part.code);
        const QString name = QString::fromUtf8(part.name);
        CodeOverlay::Bar bar;
        bar.line = line;
        bar.icon = iconOfPart(part, origins.types.value(name));
        const QString what = part.kind == ScriptPart::Kind::Commands ? tr("commands") : name;
        bar.title = QStringLiteral("%1  %2").arg(QString::number(i + 1), what);
        bar.detail = detailOf(part, origins);
        bar.atEnd = tr("%n line(s)", nullptr, int(code.count('\n')));
        // The line below the bar, for copying and for screen readers. It is short, because it would otherwise make the
        // text wider than its visible part.
        QString heading = QStringLiteral("%1 %2").arg(QString::number(i + 1), what);
        heading.replace(QLatin1Char('\n'), QLatin1Char(' '));
        m_starts.append(text.size());
        text += "# " + heading.toUtf8() + '\n' + code;
        line += 1 + code.count('\n');
        bars.append(bar);
    }
    text.chop(1); // no empty line at the end
    m_view->setAllBytes(text);
    m_overlay->setBars(bars);
    m_caretLine = 1; // not under the first bar, and without scrolling a view that may have no size yet
    m_view->SendScintilla(QsciScintilla::SCI_SETEMPTYSELECTION, static_cast<unsigned long>(m_view->lineStart(1)));
}

// A caret on the line that a bar covers cannot be seen: it goes on to the next line that can. A selection may end
// there.
void ScriptSheet::leaveBar(qsizetype caret)
{
    const qsizetype line = m_view->lineOf(caret);
    const bool goesUp = line < m_caretLine && line > 0;
    m_caretLine = line;
    if (m_starts.contains(m_view->lineStart(line)) && m_view->SendScintilla(QsciScintilla::SCI_GETSELECTIONEMPTY)) {
        m_view->SendScintilla(goesUp ? QsciScintilla::SCI_LINEUP : QsciScintilla::SCI_LINEDOWN);
    }
}

// Bars are not lines of the script.
void ScriptSheet::number()
{
    m_view->clearMarginText();
    if (m_starts.isEmpty()) {
        m_view->setMarginType(scriptNumbers, QsciScintilla::NumberMargin);
        return;
    }
    m_view->setMarginType(scriptNumbers, QsciScintilla::TextMarginRightJustified);
    int shown = 0;
    qsizetype bar = 0;
    for (qsizetype line = 0; line < m_view->lines(); ++line) {
        if (bar < m_starts.size() && m_view->lineStart(line) == m_starts.at(bar)) {
            ++bar;
        } else {
            m_view->setMarginText(int(line), QString::number(++shown), QsciScintillaBase::STYLE_LINENUMBER);
        }
    }
}

// Values stand out that the job has as references; references whose values are secret are covered.
void ScriptSheet::markValues(const QList<ScriptPart> &parts, const ComposedRole *composed)
{
    for (const int indicator : {CodeView::FilledText, CodeView::SecretText, CodeView::CoveredSecret}) {
        m_view->clearIndicator(indicator);
    }
    m_hasFilled = false;
    QList<ByteRange> secrets;
    QStringList names;
    const auto cover = [&](ByteRange range) {
        m_view->fillIndicator(CodeView::SecretText, range);
        m_view->fillIndicator(CodeView::CoveredSecret, range);
        secrets.append(range);
        names.append(secretOfReference(m_view->bytesIn(range)));
    };
    const bool inParts = !m_starts.isEmpty();
    for (qsizetype i = 0; i < parts.size() && (inParts || parts.size() == 1); ++i) {
        const qsizetype code = inParts ? m_view->lineStart(m_view->lineOf(m_starts.at(i)) + 1) : 0;
        for (const PartValue &value : partValues(parts.at(i), composed)) {
            const ByteRange range{code + value.begin, code + value.begin + value.length};
            if (value.kind == PartValue::Kind::Secret) {
                cover(range);
            } else {
                m_view->fillIndicator(CodeView::FilledText, range);
                m_hasFilled = true;
            }
        }
    }
    if (!inParts && parts.size() > 1) { // among the lines of ours, too
        for (const PartValue &value : partValues({ScriptPart::Kind::Commands, {}, false, m_script}, nullptr)) {
            cover({value.begin, value.begin + value.length});
        }
    }
    m_overlay->setDots(secrets, names);
}

QString ScriptSheet::tipAt(const QPoint &place) const
{
    const long offset = m_view->SendScintilla(
        QsciScintillaBase::SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(place.x()), long(place.y()));
    for (const ByteRange &range : m_overlay->dots()) {
        if (range.begin <= offset && offset < range.end) {
            const QString name = secretOfReference(m_view->bytesIn(range));
            return m_asked.contains(name) ? tr("The secret %1: its value is asked for at Run.").arg(name)
                                          : tr("The secret %1: its value is filled in when the task starts.").arg(name);
        }
    }
    return {};
}

bool ScriptSheet::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty()) {
            QToolTip::hideText();
        } else {
            QToolTip::showText(help->globalPos(), plainTip(tip), m_view->viewport());
        }
        return true;
    }
    return QObject::eventFilter(watched, event);
}

// The engine writes one line per step, and a line where the commands begin.
void ScriptSheet::jumpTo(const QString &step)
{
    qsizetype at = -1;
    if (!m_starts.isEmpty()) {
        const QList<ScriptPart> parts = scriptParts(m_script);
        for (qsizetype i = 0; i < std::min(parts.size(), m_starts.size()); ++i) {
            const ScriptPart &part = parts.at(i);
            const bool isCommands = part.kind == ScriptPart::Kind::Commands;
            const bool isIt = step.isEmpty() ? isCommands : !isCommands && part.name == step.toUtf8();
            at = isIt && at < 0 ? m_starts.at(i) : at;
        }
    } else if (step.isEmpty()) {
        at = m_script.lastIndexOf("set -o errexit");
    } else {
        const QByteArray name = shellQuote(step.toUtf8());
        at = m_script.indexOf(QByteArray("__ty_step before " + name));
        at = at < 0 ? m_script.indexOf(QByteArray("__ty_step after " + name)) : at;
    }
    if (at < 0) {
        return;
    }
    m_view->setCaret(m_starts.isEmpty() ? at : m_view->lineStart(m_view->lineOf(at) + 1)); // a bar has no caret
    const long line
        = m_view->SendScintilla(QsciScintilla::SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(m_view->lineOf(at)));
    m_view->SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, line)));
}

} // namespace trainyard
