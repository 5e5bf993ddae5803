// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

namespace trainyard
{

// The values of several runs at a moment, over the plots. The mouse goes through it.
class CursorCard : public QWidget
{
    Q_OBJECT
public:
    struct Row {
        int look = 0;
        QString label, detail, value;
    };
    explicit CursorCard(QWidget *parent);
    void setRows(const QString &heading, const QString &unit, const QList<Row> &rows); // and takes the size for them

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_heading, m_unit;
    QList<Row> m_rows;
    int m_labels = 0, m_details = 0, m_values = 0; // widths of the columns
};

} // namespace trainyard
