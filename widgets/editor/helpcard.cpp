// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/helpcard.h"

#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/tokens.h"
#include "widgets/text/texts.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QLabel>
#include <QScreen>

namespace trainyard
{
namespace
{

constexpr int cardWidth = 440;

QString tr(const char *text) { return QCoreApplication::translate("HelpCard", text); }

// The data writes code in `...`.
QString formatted(const QString &text)
{
    QString html = text.toHtmlEscaped();
    for (qsizetype at = html.indexOf(u'`'); at >= 0; at = html.indexOf(u'`', at)) {
        const qsizetype end = html.indexOf(u'`', at + 1);
        if (end < 0) {
            break;
        }
        const QString code = QStringLiteral("<code>") + html.mid(at + 1, end - at - 1) + QStringLiteral("</code>");
        html.replace(at, end - at + 1, code);
        at += code.size();
    }
    return html;
}

QString span(const QString &html, const QColor &colour)
{
    return QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colour.name(), html);
}

QString paragraph(const QString &html, int top = 4)
{
    return QStringLiteral("<p style=\"margin:%1px 0 0 0\">%2</p>").arg(QString::number(top), html);
}

} // namespace

QString helpHtml(const CaretInfo &info, const QList<Diagnostic> &diagnostics, const QWidget *widget, bool canGo)
{
    const auto c = [widget](Colour role) { return colour(role, widget); };
    QString html;
    for (const Diagnostic &diagnostic : diagnostics) {
        const Colour role = colourOf(diagnostic.severity);
        html += paragraph(
            span(severityText(diagnostic.severity) + u':', c(role)) + u' ' + diagnosticText(diagnostic).toHtmlEscaped(),
            html.isEmpty() ? 0 : 4);
        if (!diagnostic.fixes.isEmpty()) {
            html += paragraph(span(tr("Quick fix (Ctrl+.): %1").arg(fixTitle(diagnostic.fixes.first())).toHtmlEscaped(),
                                  c(Colour::Muted)),
                0);
        }
    }
    if (info.isNothing()) {
        return html;
    }
    QStringList facts;
    QString title;
    QString value;
    const ReferenceField *field = info.field;
    switch (info.kind) {
    case CaretInfo::Kind::Nothing:
        break;
    case CaretInfo::Kind::Field:
        break;
    case CaretInfo::Kind::Name:
        title = info.name;
        value = info.resolved ? info.value : tr("Nothing in this document has this name.");
        break;
    case CaretInfo::Kind::Template:
        title = info.name;
        value = info.secret ? tr("A secret: its value is not shown.")
            : info.resolved ? (info.value.isEmpty() ? QString() : tr("Now: %1").arg(info.value))
                            : tr("Nothing in this document has this name: the text stays as it is.");
        break;
    case CaretInfo::Kind::Variable:
        title = u'$' + info.name;
        value = !info.resolved ? tr("No role, task or port of this job has this name.")
            : info.value.isEmpty()
            ? (info.variable->example.isEmpty() ? QString() : tr("For example: %1").arg(info.variable->example))
            : tr("In this job: %1").arg(info.value);
        break;
    }
    QString words;
    if (info.kind == CaretInfo::Kind::Variable) {
        words = info.variable->text;
        facts.append(info.variable->scope == u"task" ? tr("each task's own") : tr("the same in all tasks"));
        if (info.variable->old) {
            facts.append(tr("old name"));
        }
    } else if (field) {
        if (title.isEmpty()) {
            title = field->isPlaceholder() && info.path.size() > 0 && std::holds_alternative<QString>(info.path.last())
                ? std::get<QString>(info.path.last())
                : field->isPlaceholder() ? field->pattern.value(field->pattern.size() - 2)
                                         : field->name();
        }
        facts.append(field->typeText());
        if (!field->rangeText().isEmpty()) {
            facts.append(field->rangeText() + (field->unit.isEmpty() ? QString() : u' ' + field->unit));
        } else if (!field->unit.isEmpty()) {
            facts.append(field->unit);
        }
        if (!field->defaultText().isEmpty()) {
            facts.append(tr("default %1").arg(field->defaultText()));
        }
        if (field->required) {
            facts.append(field->requiredWhere.isEmpty() ? tr("required") : tr("required %1").arg(field->requiredWhere));
        }
        if (!field->since.isEmpty() && field->since != u"protocol 2") {
            facts.append(tr("since %1").arg(field->since));
        }
        words = field->help.isEmpty() ? field->brief : field->brief + u' ' + field->help;
    }
    html += paragraph(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped())
            + span(
                QStringLiteral("&nbsp;&nbsp; ") + facts.join(QStringLiteral(" · ")).toHtmlEscaped(), c(Colour::Muted)),
        html.isEmpty() ? 0 : 10);
    if (!value.isEmpty()) {
        html += paragraph(span(value.toHtmlEscaped(), info.resolved ? c(Colour::Text) : c(Colour::Waiting)));
    }
    if (!words.isEmpty()) {
        html += paragraph(formatted(words));
    }
    if (field && info.kind == CaretInfo::Kind::Field) {
        for (const ReferenceValue &one : field->values) {
            html += paragraph(QStringLiteral("<code>%1</code>").arg(one.value.toHtmlEscaped())
                    + span(QStringLiteral("&nbsp; ") + one.text.toHtmlEscaped(), c(Colour::Muted)),
                2);
        }
        if (!field->example.isEmpty()) {
            html += QStringLiteral("<pre style=\"margin:6px 0 0 0; color:%1\">%2</pre>")
                        .arg(c(Colour::SyntaxString).name(), field->example.toHtmlEscaped());
        }
        const std::pair<QString, QString> notes[] = {{tr("Here: %1"), field->here},
            {tr("OpenPAI server: %1"), field->server}, {tr("OpenPAI portal: %1"), field->portal}};
        for (const auto &[head, note] : notes) {
            if (!note.isEmpty()) {
                html += paragraph(span(head.arg(formatted(note)), c(Colour::Muted)));
            }
        }
    }
    if (canGo) {
        html += paragraph(span(tr("F12 or Ctrl+click: where it is defined"), c(Colour::Muted)));
    }
    return html;
}

HelpCard::HelpCard(QWidget *parent)
    : PopupFrame(
        parent, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowDoesNotAcceptFocus | Qt::WindowTransparentForInput),
      m_label(plainLabel())
{
    setObjectName(QStringLiteral("helpCard"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    setFocusPolicy(Qt::NoFocus);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(metrics::space3, metrics::space2, metrics::space3, metrics::space2);
    m_label->setObjectName(QStringLiteral("helpText"));
    m_label->setTextFormat(Qt::RichText);
    m_label->setWordWrap(true);
    m_label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(m_label);
    hide();
}

QString HelpCard::text() const { return m_label->text(); }

void HelpCard::showText(const QString &html, const QRect &line, ByteRange about)
{
    m_about = about;
    m_label->setFont(fonts::ui());
    m_label->setText(html);
    // As narrow as short texts allow, wrapped where they are long.
    m_label->setWordWrap(false);
    const int natural = m_label->sizeHint().width();
    m_label->setWordWrap(true);
    const int width = std::min(natural + 2, cardWidth);
    const QMargins margins = layout()->contentsMargins();
    const QSize size(
        width + margins.left() + margins.right(), m_label->heightForWidth(width) + margins.top() + margins.bottom());
    QPoint where(line.left(), line.bottom() + 4);
    const QScreen *screen = QGuiApplication::screenAt(line.center());
    if (!screen && parentWidget()) {
        screen = parentWidget()->screen();
    }
    if (screen) {
        const QRect area = screen->availableGeometry();
        where.setX(std::clamp(where.x(), area.left(), std::max(area.left(), area.right() - size.width())));
        if (where.y() + size.height() > area.bottom()) {
            where.setY(std::max(area.top(), line.top() - 4 - size.height()));
        }
    }
    setFixedSize(size);
    move(where);
    show();
    update();
}

} // namespace trainyard
