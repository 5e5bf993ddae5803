// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"
#include "model/yaml/yamledit.h"
#include "widgets/form/popup.h"

#include <optional>

QT_BEGIN_NAMESPACE
class QLabel;
class QPlainTextEdit;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class CodeView;
class FormContext;

// Edits one value of the document that does not fit on a line: a text of several lines as text, anything else as its
// YAML. Only differences are written; Escape and Cancel drop them.
class ValuePopup : public Popup
{
    Q_OBJECT
public:
    ValuePopup(FormContext *context, const YamlPath &path, QWidget *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool write();
    std::optional<QList<edit::Op>> wantedEdits(); // nothing: the text cannot be read, and it is said why
    FormContext *m_context;
    YamlPath m_path;
    CodeView *m_view;
    QLabel *m_error;
    QByteArray m_before; // what it began with
    bool m_asText = false;
};

// Takes many entries at once: "k=v" lines, a JSON object, or YAML.
class PastePopup : public Popup
{
    Q_OBJECT
public:
    PastePopup(FormContext *context, const YamlPath &map, QWidget *parent);

private:
    void read();
    bool add();
    FormContext *m_context;
    YamlPath m_map;
    QPlainTextEdit *m_text;
    QLabel *m_found;
    QPushButton *m_add;
    YamlDocument m_entries;
    QString m_before; // of the clipboard
};

// One undo step that sets all entries of a document's root in a map of the job.
void addEntries(FormContext *context, const YamlPath &map, const YamlDocument &entries);

// The source text of a value, without its indentation.
QByteArray valueText(const FormContext &context, const YamlPath &path);

} // namespace trainyard
