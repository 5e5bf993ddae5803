// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/formfield.h"

QT_BEGIN_NAMESPACE
class QLineEdit;
class QTableWidget;
class QPushButton;
QT_END_NAMESPACE

namespace trainyard
{

// Parameters or secrets: a table of names and values. A value is any YAML value that stands on one line; others are
// shown as what they are, with a jump to the text. Values of secrets are dots unless their eye is held down.
class ValuesTable : public FormField
{
    Q_OBJECT
public:
    enum class Kind { Parameters, Secrets };
    ValuesTable(FormContext *context, const YamlPath &path, Kind kind, QWidget *parent = nullptr);
    void refresh() override;
    QTableWidget *table() const { return m_table; }
    void selectKey(const QString &key);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Row {
        QString key;
        QString value; // as written, or a description
        bool simple = true;
        friend bool operator==(const Row &, const Row &) = default;
    };
    QList<Row> documentRows() const;
    void fill(int row, const Row &shown);
    void handleEdited(int row, int column);
    void add();
    void removeRow(int row);
    void openMenu(const QPoint &position);
    void showValue(int row, bool shown);
    void updateHeight();

    QTableWidget *m_table;
    QPushButton *m_add;
    QLabel *m_note;
    Kind m_kind;
    QList<Row> m_rows;
    bool m_filling = false;
};

} // namespace trainyard
