// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/formfield.h"

#include "widgets/common/flowlayout.h"
#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/common/wordbreaks.h"
#include "widgets/form/fieldhelp.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>

#include <utility>

namespace trainyard
{
namespace
{
constexpr int sentenceWidth = 400;
constexpr int widestFix = 240;
constexpr int narrowestFix = 64;

// As wide as there is room for; the whole title is in its tip.
class FixButton final : public QPushButton
{
public:
    explicit FixButton(const QString &title) : QPushButton(plainCaption(title)), m_title(title)
    {
        setSmall(this);
        setFont(fonts::small());
        setAccessibleName(title);
        setToolTip(plainTip(title));
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // it may be narrower than its words
    }
    QSize sizeHint() const override
    {
        const int words = QFontMetrics(fonts::small()).horizontalAdvance(m_title);
        return {std::min(words, widestFix) + padding, QPushButton::sizeHint().height()};
    }
    QSize minimumSizeHint() const override
    {
        return {std::min(narrowestFix, sizeHint().width()), QPushButton::minimumSizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QPushButton::resizeEvent(event);
        setText(plainCaption(QFontMetrics(fonts::small()).elidedText(m_title, Qt::ElideMiddle, width() - padding + 2)));
    }

private:
    static constexpr int padding = 2 * metrics::space2 + 2;
    QString m_title;
};

// A sentence that is on one line where there is room, and on several in a narrow form.
class ShortSentence final : public ColourLabel
{
public:
    ShortSentence(const QString &text, Colour role) : ColourLabel(text, role) { setWordWrap(true); }
    QSize sizeHint() const override
    {
        constexpr int slack = 2; // fractions of a pixel do not break it
        const int width = fontMetrics().horizontalAdvance(text()) + slack;
        return {width, heightForWidth(width)};
    }
};

// As in the text.
bool isHelpKey(const QEvent *event)
{
    const auto *key = static_cast<const QKeyEvent *>(event);
    return key->key() == Qt::Key_F1 && key->modifiers() == Qt::NoModifier;
}
} // namespace

FieldMessages::FieldMessages(FormContext *context, QWidget *parent) : QWidget(parent), m_context(context)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 3, 0, 0);
    column->setSpacing(metrics::space1);
    hide();
}

void FieldMessages::hold()
{
    if (m_isHeld) {
        return;
    }
    m_isHeld = true;
    m_all.clear();
    m_owners.clear();
    removeWidgets(layout());
    if (isVisible()) {
        setMinimumHeight(height());
    } else {
        hide(); // it is not in sight, so nothing moves visibly
    }
}

void FieldMessages::setMessages(const QObject *owner, const QList<Diagnostic> &diagnostics)
{
    if (std::exchange(m_isHeld, false)) {
        setMinimumHeight(0);
        rebuild();
    }
    for (auto &entry : m_all) {
        if (entry.first == owner) {
            const auto same = [](const Diagnostic &a, const Diagnostic &b) {
                return a.code == b.code && a.at == b.at && a.args == b.args && a.fixes.size() == b.fixes.size();
            };
            if (std::equal(entry.second.begin(), entry.second.end(), diagnostics.begin(), diagnostics.end(), same)) {
                entry.second = diagnostics;
                // Fixes are planned for one text: the buttons look them up when they are pressed.
                return;
            }
            entry.second = diagnostics;
            rebuild();
            return;
        }
    }
    m_all.append({owner, diagnostics});
    if (!diagnostics.isEmpty()) {
        rebuild();
    }
}

bool FieldMessages::hasFocusOf(const QObject *owner) const
{
    const QWidget *widget = QApplication::focusWidget();
    while (widget && widget->parentWidget() != this) {
        widget = widget->parentWidget();
    }
    return widget && m_owners.value(widget) == owner;
}

void FieldMessages::rebuild()
{
    m_owners.clear();
    auto *column = static_cast<QVBoxLayout *>(layout());
    removeWidgets(column);
    int shown = 0;
    for (const auto &entry : std::as_const(m_all)) {
        for (const Diagnostic &diagnostic : entry.second) {
            if (++shown > 3) {
                break;
            }
            const Colour role = colourOf(diagnostic.severity);
            const QString text = diagnosticBrief(diagnostic);
            const QString whole = diagnosticText(diagnostic);
            QList<QPushButton *> buttons;
            int width = QFontMetrics(fonts::small()).horizontalAdvance(text);
            for (qsizetype f = 0; f < std::min<qsizetype>(3, diagnostic.fixes.size()); ++f) {
                // A name in it may be of any length, and must not make the form wider than its pane.
                const QString title = fixTitle(diagnostic.fixes.at(f));
                auto *button = new FixButton(title);
                button->setObjectName(QStringLiteral("fieldFix"));
                const QString code = diagnostic.code;
                const YamlPath path = diagnostic.path;
                connect(button, &QPushButton::clicked, this, [this, code, path, f] {
                    for (const Diagnostic &now : m_context->diagnostics()) {
                        if (now.code == code && now.path == path && f < now.fixes.size()) {
                            Q_EMIT m_context->fixRequested(now.fixes.at(f));
                            return;
                        }
                    }
                });
                width += button->sizeHint().width() + metrics::space2;
                buttons.append(button);
            }
            // A short sentence has its buttons beside it, a long one below.
            const bool oneLine = width < sentenceWidth;
            auto *line = new QWidget;
            auto *rows = new QVBoxLayout(line);
            rows->setContentsMargins(0, 0, 0, 0);
            rows->setSpacing(metrics::space1);
            auto *sentence = new QWidget;
            auto *row = new QHBoxLayout(sentence);
            row->setContentsMargins(0, 0, 0, 0);
            row->setSpacing(metrics::space2);
            row->addWidget(new IconLabel(iconOf(diagnostic.severity), metrics::smallIcon, role), 0, Qt::AlignTop);
            auto *words = oneLine ? new ShortSentence(breakable(text), role) : new ColourLabel(breakable(text), role);
            words->setObjectName(QStringLiteral("fieldMessage"));
            words->setFont(fonts::small());
            words->setTextFormat(Qt::PlainText);
            words->setWordWrap(true);
            if (whole != text) {
                words->setToolTip(plainTip(whole));
                words->setAccessibleDescription(whole);
            }
            row->addWidget(words, 1);
            auto *flow = new FlowLayout(metrics::space2);
            if (oneLine) {
                flow->addWidget(sentence);
            } else {
                rows->addWidget(sentence);
                flow->setContentsMargins(metrics::smallIcon + metrics::space2, 0, 0, 0);
            }
            for (QPushButton *button : std::as_const(buttons)) {
                flow->addWidget(button);
            }
            rows->addLayout(flow);
            column->addWidget(line);
            m_owners.insert(line, entry.first);
        }
    }
    setVisible(shown > 0);
}

FormField::FormField(FormContext *context, const YamlPath &path, QWidget *parent)
    : QWidget(parent), m_context(context), m_path(path), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_context->add(this);
}

FormField::~FormField()
{
    m_context->remove(this);
    if (m_messages) {
        m_messages->setMessages(this, {});
    }
}

void FormField::setPath(const YamlPath &path)
{
    if (m_path == path) {
        return;
    }
    if (!m_context->isFollowing()) {
        commitPending();
        leavePlace();
    }
    m_path = path;
    refresh();
}

bool FormField::covers(const YamlPath &path) const { return !m_path.isEmpty() && path.startsWith(m_path); }

void FormField::setControl(QWidget *control)
{
    m_control = control;
    m_column->insertWidget(0, control);
    control->installEventFilter(this);
    setFocusProxy(control);
}

void FormField::watchFocus(QWidget *widget)
{
    m_watched.insert(widget);
    widget->installEventFilter(this);
}

void FormField::watchFocus(QWidget *widget, const YamlPath &path)
{
    widget->setProperty("fieldPath", path.toPointer());
    widget->installEventFilter(this);
}

void FormField::setHelp(const QString &help)
{
    if (!m_help && !help.isEmpty()) {
        m_help = smallMutedLabel(help);
        m_help->setTextFormat(Qt::PlainText);
        m_help->setWordWrap(true);
        m_help->setContentsMargins(0, 3, 0, 0);
        // A problem is shown directly below its control.
        const bool isBelowMessages = m_control && m_messages && m_column->indexOf(m_messages) >= 0;
        m_column->insertWidget(isBelowMessages ? 2 : m_control ? 1 : 0, m_help);
    }
    if (m_help) {
        m_help->setText(breakable(help));
        m_help->setVisible(!help.isEmpty());
    }
}

void FormField::setLabel(QLabel *label)
{
    m_label = label;
    label->installEventFilter(this);
    label->setBuddy(focusProxy() ? focusProxy() : this);
    if (focusProxy() && focusProxy()->accessibleName().isEmpty()) {
        focusProxy()->setAccessibleName(label->text());
    }
}

void FormField::setMessages(FieldMessages *messages) { m_messages = messages; }

void FormField::showDiagnostics(const QList<Diagnostic> &diagnostics)
{
    if (diagnostics.isEmpty() && m_diagnostics.isEmpty()) {
        return;
    }
    m_isHeld = false;
    m_diagnostics = diagnostics;
    if (!m_messages) {
        m_messages = new FieldMessages(m_context);
        m_column->insertWidget(m_control ? 1 : -1, m_messages);
    }
    // After pressing a button that disappears with its message, the focus is in the fixed field.
    const bool wasInMessages = m_messages->hasFocusOf(this);
    m_messages->setMessages(this, diagnostics);
    if (wasInMessages && !m_messages->hasFocusOf(this)) {
        setFocus(Qt::OtherFocusReason);
    }
    setError(std::any_of(
        diagnostics.begin(), diagnostics.end(), [](const Diagnostic &d) { return d.severity == Severity::Error; }));
}

void FormField::holdDiagnostics()
{
    if (!m_diagnostics.isEmpty() && !std::exchange(m_isHeld, true)) {
        m_messages->hold();
        setError(false);
    }
}

void FormField::setError(bool error)
{
    if (m_control) {
        setFieldError(m_control, error);
    }
}

void FormField::setHighlighted(bool highlighted)
{
    if (m_highlighted == highlighted) {
        return;
    }
    m_highlighted = highlighted;
    if (m_label) {
        // The label says it in every theme: accent for the place of the caret.
        if (auto *label = qobject_cast<ColourLabel *>(m_label.data())) {
            label->setColour(highlighted ? Colour::Accent : Colour::Muted);
        }
    }
    update();
}

// The entry of the reference for the field, followed by the control's own text. It covers neither the field nor its
// problems.
void FormField::showHelp(QWidget *at, FormHelp::Asked asked)
{
    QString html;
    if (const auto own = YamlPath::fromPointer(at->property("fieldPath").toString()); own && !own->isEmpty()) {
        html = fieldHelp(m_context->document(), *own, at);
    }
    html = html.isEmpty() ? fieldHelp(m_context->document(), m_path, at) : html;
    if (!at->toolTip().isEmpty()) {
        html += QStringLiteral("<p style=\"margin:6px 0 0 0\">%1</p>").arg(at->toolTip().toHtmlEscaped());
    }
    if (html.isEmpty()) {
        return;
    }
    const auto onScreen = [](const QWidget *widget) { return QRect(widget->mapToGlobal(QPoint()), widget->size()); };
    QRect place = onScreen(this).united(onScreen(at));
    if (m_messages && m_messages->isVisible()) { // some share theirs with others, below them
        place = place.united(onScreen(m_messages));
    }
    FormHelp::of(this)->show(at, place, html, asked);
}

bool FormField::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        showHelp(this, FormHelp::Asked::ByPointer);
        return true;
    }
    if (event->type() == QEvent::KeyPress && isHelpKey(event)) {
        showHelp(m_control ? m_control : this, FormHelp::Asked::ByKey);
        return true;
    }
    return QWidget::event(event);
}

bool FormField::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Wheel && watched == m_control && qobject_cast<QComboBox *>(watched)
        && !m_control->hasFocus()) {
        event->ignore(); // scrolling the form must not change a choice
        return true;
    }
    if (event->type() == QEvent::ToolTip && (watched == m_control || watched == m_label)) {
        showHelp(static_cast<QWidget *>(watched), FormHelp::Asked::ByPointer);
        return true;
    }
    if (event->type() == QEvent::KeyPress && watched != m_label && isHelpKey(event)) {
        showHelp(static_cast<QWidget *>(watched), FormHelp::Asked::ByKey);
        return true;
    }
    // The control itself is watched for its tool tip; for the focus only where a field asked for it.
    if (watched == m_label || (watched == m_control && !m_watched.contains(watched))) {
        return QWidget::eventFilter(watched, event);
    }
    if (event->type() == QEvent::FocusIn) {
        const QVariant own = watched->property("fieldPath");
        if (own.isValid()) {
            if (const auto path = YamlPath::fromPointer(own.toString())) {
                Q_EMIT m_context->fieldFocused(*path);
            }
        } else if (!m_path.isEmpty()) {
            Q_EMIT m_context->fieldFocused(m_path);
        }
    } else if (event->type() == QEvent::FocusOut) {
        commitPending();
    }
    return QWidget::eventFilter(watched, event);
}

void FormField::paintEvent(QPaintEvent *) { }

} // namespace trainyard
