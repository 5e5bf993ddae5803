// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/yamlassist.h"

#include "widgets/common/labels.h"
#include "widgets/common/menukeys.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/helpcard.h"
#include "widgets/editor/nameplaces.h"
#include "widgets/editor/suggester.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

namespace trainyard
{
namespace
{

constexpr qsizetype mostUses = 40;
constexpr int useWidth = 460;
// Reading the text takes milliseconds at this size: larger ones are not jobs, and get no help.
constexpr qsizetype mostBytes = qsizetype(1) << 20;

} // namespace

YamlAssist::YamlAssist(CodeView *view, std::function<QList<Diagnostic>(qsizetype)> diagnosticsAt)
    : QObject(view), m_view(view), m_diagnosticsAt(std::move(diagnosticsAt)),
      m_suggester(new Suggester(
          view, [this](const QByteArray &text, qsizetype caret) { return suggestionsAt(text, caret, sources()); })),
      m_card(new HelpCard(view))
{
    // After the suggester, so that it comes before it: any key closes the card.
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);
    m_view->viewport()->setMouseTracking(true);
    connect(m_suggester, &Suggester::opened, m_card, &QWidget::hide);
    connect(m_view, &CodeView::bytesChanged, this, [this] {
        m_card->hide();
        clearLink();
    });
    connect(
        m_view, &QsciScintillaBase::SCN_DWELLSTART, this, [this](int position, int, int) { handleDwell(position); });
    connect(m_view, &CodeView::themeChanged, this, [this] { closeAll(); });
}

void YamlAssist::setSnapshot(const YamlDocument &document, const JobSpec *job, quint64 revision)
{
    m_document = document;
    m_revision = revision;
    // Only the beginning of a text that ends in an error was read.
    if (job && (document.isComplete() || !m_job)) {
        m_job = *job;
    }
}

SuggestionSources YamlAssist::sources() const
{
    SuggestionSources sources;
    sources.job = m_job ? &*m_job : nullptr;
    if (m_job && !m_job->virtualCluster.isEmpty()) {
        sources.virtualClusters.append(m_job->virtualCluster);
    }
    return sources;
}

void YamlAssist::closeAll()
{
    m_suggester->hide();
    m_card->hide();
    clearLink();
}

void YamlAssist::suggest() { m_suggester->suggest(); }

// ---- help ----

bool YamlAssist::handleKey(const QKeyEvent *event)
{
    const bool modifier = event->key() == Qt::Key_Control || event->key() == Qt::Key_Shift
        || event->key() == Qt::Key_Alt || event->key() == Qt::Key_Meta || event->key() == Qt::Key_AltGr;
    if (m_card->isVisible() && !modifier) {
        m_card->hide();
        return event->key() == Qt::Key_Escape;
    }
    return false;
}

void YamlAssist::showHint(const QString &sentence)
{
    closeAll();
    const qsizetype caret = m_view->caret();
    m_card->showText(sentence.toHtmlEscaped(), m_suggester->lineRect(caret), {caret, caret + 1});
}

void YamlAssist::showHelp() { showCard(m_view->caret(), true); }

void YamlAssist::handleDwell(int position)
{
    if (position >= 0 && !m_suggester->isOpen() && m_view->viewport()->underMouse() && m_view->isActiveWindow()) {
        showCard(position, false);
    }
}

void YamlAssist::showCard(qsizetype offset, bool asked)
{
    if (m_view->byteCount() > mostBytes) {
        return;
    }
    const QList<Diagnostic> diagnostics = m_diagnosticsAt(offset);
    CaretInfo info = caretInfoAt(m_suggester->text(), offset, sources());
    // A pointer that rests on some value asks for nothing: on keys, names and references there is something to know.
    const bool onKey = info.kind == CaretInfo::Kind::Field && !info.path.isEmpty()
        && std::holds_alternative<QString>(info.path.last())
        && m_view->bytesIn(info.at) == std::get<QString>(info.path.last()).toUtf8();
    if (!asked && info.kind == CaretInfo::Kind::Field && !onKey) {
        info = CaretInfo();
    }
    const bool canGo = m_revision == m_view->revision() && definitionOf(m_document, info).has_value();
    QString html = helpHtml(info, diagnostics, m_card, canGo);
    if (html.isEmpty()) {
        if (!asked) {
            return;
        }
        html = tr("There is no help for this place.").toHtmlEscaped();
    }
    ByteRange about = info.isNothing() ? ByteRange{offset, offset + 1} : info.at;
    if (info.isNothing() && !diagnostics.isEmpty()) {
        about = diagnostics.first().at;
    }
    about.end = std::max(about.end, about.begin + 1);
    m_card->showText(html, m_suggester->lineRect(std::min(about.begin, offset)), about);
}

// ---- definitions ----

std::optional<ByteRange> YamlAssist::definitionAt(qsizetype offset) const
{
    if (m_revision != m_view->revision() || m_view->byteCount() > mostBytes) {
        return {};
    }
    for (const Diagnostic &each : m_document.diagnostics()) {
        if (each.code == QLatin1StringView("yaml.duplicate-key") && each.at.begin <= offset && offset <= each.at.end) {
            return ByteRange{each.args.value(QLatin1StringView("otherBegin")).toInteger(),
                each.args.value(QLatin1StringView("otherEnd")).toInteger()}; // where the key stands first
        }
    }
    return definitionOf(m_document, caretInfoAt(m_suggester->text(), offset, sources()));
}

void YamlAssist::goToDefinition()
{
    if (const auto range = definitionAt(m_view->caret())) {
        closeAll();
        Q_EMIT jumpRequested(*range);
        return;
    }
    showHint(tr("Nothing at the caret is defined somewhere else."));
}

// Also from a place that only refers to the name.
void YamlAssist::showUses()
{
    const qsizetype caret = m_view->caret();
    NameUses found;
    if (m_revision == m_view->revision() && m_view->byteCount() <= mostBytes) {
        const auto range = definitionAt(caret);
        found = usesOf(m_document, m_document.pathAt(range ? range->begin : caret));
    }
    if (found.uses.isEmpty()) {
        showHint(tr("Nothing at the caret has a name that is used elsewhere."));
        return;
    }
    closeAll();
    auto *menu = new QMenu(m_view);
    menu->setObjectName(QStringLiteral("usesMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto others = found.uses.size() - 1;
    menu->addSection(others == 0 ? tr("%1 is not used anywhere").arg(found.name)
            : others == 1        ? tr("%1 is used in one place").arg(found.name)
                                 : tr("%1 is used in %2 places").arg(found.name).arg(others));
    qsizetype shown = 0;
    for (const NameUse &use : std::as_const(found.uses)) {
        if (++shown > mostUses) {
            menu->addAction(tr("and %1 more").arg(found.uses.size() - mostUses))->setEnabled(false);
            break;
        }
        const qsizetype line = m_view->lineOf(use.at.begin);
        QString text
            = QString::fromUtf8(m_view->bytesIn({m_view->lineStart(line), m_view->lineEnd(line)})).simplified();
        text = m_view->fontMetrics().elidedText(text, Qt::ElideRight, useWidth);
        if (!use.certain) {
            text = tr("perhaps: %1").arg(text);
        }
        QAction *action = menu->addAction(plainCaption(QStringLiteral("%1:  %2").arg(line + 1).arg(text)));
        connect(action, &QAction::triggered, this, [this, at = use.at] { Q_EMIT jumpRequested(at); });
    }
    popUpAlone(menu, m_view, m_view->viewport()->mapToGlobal(m_view->pointOf(caret, true)));
}

void YamlAssist::showLink(qsizetype offset)
{
    if (m_link.contains(offset)) {
        return;
    }
    clearLink();
    if (!m_view->hasIndicator(CodeView::CoveredSecret, offset) && definitionAt(offset)) {
        m_link = caretInfoAt(m_suggester->text(), offset, sources()).at;
        m_view->fillIndicator(CodeView::LinkText, m_link);
        m_view->viewport()->setCursor(Qt::PointingHandCursor);
    }
}

void YamlAssist::clearLink()
{
    if (m_link.length() > 0) {
        m_link = {};
        m_view->clearIndicator(CodeView::LinkText);
        m_view->viewport()->unsetCursor();
    }
}

void YamlAssist::handlePointer(const QPoint &position, Qt::KeyboardModifiers modifiers)
{
    const long offset = m_view->SendScintilla(
        QsciScintillaBase::SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(position.x()), long(position.y()));
    if (modifiers == Qt::ControlModifier && offset >= 0) {
        showLink(offset);
    } else {
        clearLink();
    }
    if (m_card->isVisible() && !m_card->about().contains(offset)) {
        m_card->hide();
    }
}

bool YamlAssist::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::KeyPress:
        if (watched == m_view && handleKey(static_cast<QKeyEvent *>(event))) {
            return true;
        }
        break;
    case QEvent::KeyRelease:
        if (watched == m_view && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Control) {
            clearLink();
        }
        break;
    case QEvent::FocusOut:
    case QEvent::Wheel:
    case QEvent::Hide:
        closeAll();
        break;
    case QEvent::Leave:
        m_card->hide();
        clearLink();
        break;
    case QEvent::MouseMove:
        if (watched == m_view->viewport()) {
            const auto *mouse = static_cast<QMouseEvent *>(event);
            handlePointer(mouse->position().toPoint(), mouse->modifiers());
        }
        break;
    case QEvent::MouseButtonPress:
        if (watched == m_view->viewport()) {
            const auto *mouse = static_cast<QMouseEvent *>(event);
            m_card->hide();
            if (mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::ControlModifier) {
                const QPoint at = mouse->position().toPoint();
                const long offset = m_view->SendScintilla(
                    QsciScintillaBase::SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(at.x()), long(at.y()));
                if (const auto range = offset < 0 ? std::nullopt : definitionAt(offset)) {
                    closeAll();
                    Q_EMIT jumpRequested(*range);
                    return true;
                }
            }
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard
