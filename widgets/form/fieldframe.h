// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace trainyard
{

// The edge and the focus ring of a field around an editor that draws none of its own.
class FieldFrame : public QWidget
{
    Q_OBJECT
public:
    explicit FieldFrame(QWidget *editor, QWidget *parent = nullptr);
    void setError(bool error);
    void setReadOnly(bool readOnly); // it looks like text, and not like a place to type in

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *m_editor;
    bool m_error = false;
    bool m_readOnly = false;
};

} // namespace trainyard
