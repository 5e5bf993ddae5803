// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/formfield.h"

#include <optional>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QTableWidget;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

class ColourLabel;
class Ground;
class SecretMove;

// The entries of a map as a table of names and values: parameters, secrets, or the keys of a place that have no field
// of their own. A value on one line is edited there, any other in a panel below it. Values of secrets are dots unless
// their eye is held down. Large because the table, the panel below it and the document change together with every edit.
class ValuesTable : public FormField
{
    Q_OBJECT
public:
    enum class Kind { Parameters, Secrets, Keys };
    enum Column { KeyColumn, ValueColumn, ToolColumn, ColumnCount };
    ValuesTable(FormContext *context, const YamlPath &path, Kind kind, QWidget *parent = nullptr);
    void refresh() override;
    void refreshNote() override;
    bool covers(const YamlPath &path) const override;
    QTableWidget *table() const { return m_table; }
    void selectKey(const QString &key);
    void editKey(const QString &key); // its value, as if the user had opened it
    // Keys that have fields elsewhere: not shown here.
    void setKnownKeys(const QStringList &keys) { m_known = keys; }
    void setNames(const QString &objectName, const QString &title, const QString &addText);
    void setNote(const QString &text);
    void setAddable(bool addable); // false where a server refuses more
    qsizetype rowCount() const { return m_rows.size(); }
    void commitPending() override;
    void commitTyped() override;
    bool isTyping() const override;
    QWidget *end() const override; // the button that adds the next one
    void goOnFrom(int row, int column, bool forward); // from a cell that was edited
    void leaveCell(); // whose editor has gone

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    static constexpr int longest = 12; // rows shown before the table scrolls
    struct Row {
        QString key;
        QString value; // as written, or a description
        bool simple = true; // is on one line
        bool open = false; // a secret whose value is in the file
        bool remembered = false; // a secret that Run was given
        friend bool operator==(const Row &, const Row &) = default;
    };
    // An entry that is being added: the last row, which is not in the document.
    struct Draft {
        YamlPath path; // of the table
        QString sent = {}; // the name with which it goes into the document now
    };
    // What is being typed into a cell.
    struct Typed {
        QString key;
        int column = ValueColumn;
        QString text;
    };
    std::optional<Typed> takeTyped(const QList<Row> &rows);
    void write(const Typed &typed);
    int draftRow() const { return m_draft ? int(m_rows.size()) : -1; }
    void nameDraft();
    void keepDraft(const QList<Row> &rows);
    void dropDraft();
    QLineEdit *editor() const; // in which something was typed
    QStringList shownKeys() const;
    QList<Row> documentRows() const;
    void describeSecret(Row *row) const;
    void forget();
    void fill(int row, const Row &shown);
    void makeTools();
    void makeTools(int row);
    void updateTools(int row);
    void handleEdited(int row, int column);
    int rowOfNow(int row);
    void editValue(int row);
    void add();
    void paste();
    void removeRow(int row);
    void openMenu(const QPoint &position);
    void showValue(int row, bool shown);
    void updateHeight();
    void fitNames();
    enum class Shape { Map, TakenOut, List, Value };
    Shape shape() const;
    void takeAsText(const QString &key, const QString &text);

    QTableWidget *m_table;
    Ground *m_card; // around it
    QPushButton *m_show = nullptr; // where its text is wrong
    QPushButton *m_add;
    QPushButton *m_paste;
    QPushButton *m_takeOut;
    QPushButton *m_forget; // what is remembered of secrets
    QLabel *m_note;
    ColourLabel *m_asText; // says that a list or map that does not end was taken as text
    QString m_asTextKey, m_asTextValue; // of the last one
    SecretMove *m_move = nullptr; // of secrets only
    Kind m_kind;
    QStringList m_known;
    QString m_ownNote;
    QList<Row> m_rows;
    std::optional<Draft> m_draft;
    bool m_addsAnother = false; // once the draft is in the document
    QString m_goesOnWith; // the key whose value is edited once it is in the document
    bool m_filling = false;
};

} // namespace trainyard
