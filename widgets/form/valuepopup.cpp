// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/valuepopup.h"

#include "model/base/lineindex.h"
#include "model/base/utf8.h"
#include "model/yaml/yamldiff.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/editor/codeview.h"
#include "widgets/form/formcontext.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QPushButton>

namespace trainyard
{
namespace
{

constexpr int popupWidth = 440;
constexpr int popupLines = 9;

QString lastKey(const YamlPath &path)
{
    const auto *key = path.isEmpty() ? nullptr : std::get_if<QString>(&path.last());
    return key ? *key : QString();
}

} // namespace

QByteArray valueText(const FormContext &context, const YamlPath &path)
{
    const YamlDocument &document = context.document();
    const YamlNode *node = document.find(path);
    if (!node) {
        return {};
    }
    if (node->kind == YamlNode::Kind::Alias) {
        return '*' + node->anchor;
    }
    const QByteArray &all = document.bytes();
    const qsizetype line = node->at.begin == 0 ? 0 : all.lastIndexOf('\n', node->at.begin - 1) + 1;
    qsizetype indent = node->at.begin - line;
    const QList<QByteArray> lines = all.mid(node->at.begin, node->at.length()).split('\n');
    if (node->style != YamlNode::Style::Block) {
        // Behind its key: what its own lines have in common.
        indent = -1;
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const QByteArray &text = lines.at(i);
            qsizetype blanks = 0;
            while (blanks < text.size() && text.at(blanks) == ' ') {
                ++blanks;
            }
            if (!text.trimmed().isEmpty()) {
                indent = indent < 0 ? blanks : std::min(indent, blanks);
            }
        }
    }
    QByteArray text;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        QByteArray each = lines.at(i);
        if (each.endsWith('\r')) {
            each.chop(1);
        }
        qsizetype cut = 0;
        while (i > 0 && cut < indent && cut < each.size() && each.at(cut) == ' ') {
            ++cut;
        }
        text += (i > 0 ? "\n" : "") + each.mid(cut);
    }
    return text;
}

void addEntries(FormContext *context, const YamlPath &map, const YamlDocument &entries)
{
    context->catchUp();
    QList<edit::Op> ops;
    if (entries.root() && entries.root()->isMap()) {
        for (const YamlNode::Entry &entry : entries.root()->entries) {
            const YamlPath place = map.child(textFromUtf8(entry.key->scalar));
            ops += opsToBecome(context->document().find(place), entry.value, place);
        }
    }
    context->edit(ops);
}

ValuePopup::ValuePopup(FormContext *context, const YamlPath &path, QWidget *parent)
    : Popup(parent), m_context(context), m_path(path), m_view(new CodeView(CodeView::Language::Yaml)),
      m_error(new ColourLabel(QString(), Colour::Failed))
{
    setObjectName(QStringLiteral("valuePopup"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(metrics::space3, metrics::space3, metrics::space3, metrics::space3);
    column->setSpacing(metrics::space2);
    column->addWidget(semiboldLabel(lastKey(path)));
    m_view->setObjectName(QStringLiteral("valueText"));
    m_view->setAccessibleName(lastKey(path));
    m_view->setMarginWidth(0, 0);
    m_view->setMarginWidth(1, 0);
    m_view->setMinimumSize(popupWidth, popupLines * metrics::logLine);
    m_view->installEventFilter(this);
    const YamlNode *node = context->node(path);
    m_asText = node && node->kind == YamlNode::Kind::Scalar && node->scalar.contains('\n');
    if (m_asText) {
        m_view->setStyled(false);
        m_view->setAllBytes(node->scalar);
    } else {
        m_view->setAllBytes(valueText(*context, path));
    }
    m_before = m_view->allBytes();
    column->addWidget(m_view, 1);
    m_error->setFont(fonts::small());
    m_error->setWordWrap(true);
    m_error->hide();
    column->addWidget(m_error);
    auto *row = new QHBoxLayout;
    row->addWidget(smallMutedLabel(m_asText ? tr("Text of several lines") : tr("YAML or JSON")), 1);
    auto *cancel = new QPushButton(tr("Cancel"));
    auto *done = new QPushButton(tr("Done"));
    done->setObjectName(QStringLiteral("valueDone"));
    done->setToolTip(tr("Ctrl+Enter"));
    done->setDefault(true);
    row->addWidget(cancel);
    row->addWidget(done);
    column->addLayout(row);
    connect(cancel, &QPushButton::clicked, this, &ValuePopup::dismiss);
    connect(done, &QPushButton::clicked, this, &ValuePopup::finish);
    setTyping([this] { return m_view->allBytes() != m_before; }, [this] { return write(); });
    setFocusProxy(m_view);
}

std::optional<QList<edit::Op>> ValuePopup::wantedEdits()
{
    const QByteArray text = m_view->allBytes();
    m_context->catchUp(); // what is to be written depends on what is there
    if (m_asText) {
        return QList<edit::Op>{edit::SetText{m_path, textFromUtf8(text)}};
    }
    const YamlDocument wanted = YamlDocument::parse(text);
    if (!wanted.isWellFormed() || !wanted.root()) {
        const auto &all = wanted.diagnostics();
        const qsizetype line = all.isEmpty() ? 1 : LineIndex(text).at(all.first().at.begin).line;
        m_error->setText(
            all.isEmpty() ? tr("There is no value.") : tr("Line %1: %2").arg(line).arg(diagnosticText(all.first())));
        m_error->show();
        return std::nullopt;
    }
    return opsToBecome(m_context->document().find(m_path), wanted.root(), m_path);
}

bool ValuePopup::write()
{
    const auto edits = wantedEdits();
    if (edits) {
        FormContext *context = m_context;
        close();
        context->edit(*edits);
    }
    return edits.has_value();
}

bool ValuePopup::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape) {
            dismiss();
            return true;
        }
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && (key->modifiers() & Qt::ControlModifier)) {
            finish();
            return true;
        }
    }
    return Popup::eventFilter(watched, event);
}

PastePopup::PastePopup(FormContext *context, const YamlPath &map, QWidget *parent)
    : Popup(parent), m_context(context), m_map(map), m_text(new QPlainTextEdit), m_found(smallMutedLabel(QString())),
      m_add(new QPushButton(tr("Add")))
{
    setObjectName(QStringLiteral("pastePopup"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(metrics::space3, metrics::space3, metrics::space3, metrics::space3);
    column->setSpacing(metrics::space2);
    m_text->setObjectName(QStringLiteral("pasteText"));
    m_text->setAccessibleName(tr("What to add"));
    m_text->setFont(fonts::fixed());
    m_text->setPlaceholderText(tr("lr=0.1\nmodel=resnet50\n\nor {\"lr\": 0.1, \"model\": \"resnet50\"}"));
    m_text->setMinimumSize(popupWidth, popupLines * metrics::logLine);
    column->addWidget(m_text, 1);
    auto *row = new QHBoxLayout;
    m_found->setWordWrap(true);
    row->addWidget(m_found, 1);
    m_add->setObjectName(QStringLiteral("pasteAdd"));
    m_add->setDefault(true);
    row->addWidget(m_add);
    column->addLayout(row);
    connect(m_text, &QPlainTextEdit::textChanged, this, &PastePopup::read);
    connect(m_add, &QPushButton::clicked, this, &PastePopup::finish);
    setFocusProxy(m_text);
    if (const QString text = QApplication::clipboard()->text(); parseEntries(text).root()) {
        m_text->setPlainText(text);
    }
    m_before = m_text->toPlainText();
    read();
    const auto hasTyped = [this] {
        const QString now = m_text->toPlainText();
        return now != m_before && !now.trimmed().isEmpty();
    };
    setTyping(hasTyped, [this] { return add(); });
}

bool PastePopup::add()
{
    if (!m_entries.root()) {
        setFieldError(m_text, true);
        return false;
    }
    FormContext *edited = m_context;
    const YamlPath at = m_map;
    const YamlDocument entries = m_entries;
    close();
    addEntries(edited, at, entries);
    return true;
}

void PastePopup::read()
{
    m_entries = parseEntries(m_text->toPlainText());
    setFieldError(m_text, false);
    const YamlNode *root = m_entries.root();
    m_add->setEnabled(root != nullptr);
    if (!root) {
        m_found->setText(tr("Lines such as name=value, a JSON object, or YAML."));
        return;
    }
    const QStringList present = m_context->keys(m_map);
    QStringList names;
    int replaced = 0;
    for (const YamlNode::Entry &entry : root->entries) {
        const QString key = textFromUtf8(entry.key->scalar);
        names.append(key);
        replaced += present.contains(key) ? 1 : 0;
    }
    QString text = names.mid(0, 6).join(QStringLiteral(", "));
    if (names.size() > 6) {
        text += tr(" and %n more", nullptr, int(names.size()) - 6);
    }
    if (replaced > 0) {
        text += QStringLiteral(" · ") + tr("%n replaced", nullptr, replaced);
    }
    m_found->setText(text);
}

} // namespace trainyard
