// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace trainyard
{

// A small box for one thing in a list: an icon, a name, a muted detail, a cross to take it away. Checkable ones are
// outlined in the accent when on; a dashed one with "+" adds.
class Chip : public QAbstractButton
{
    Q_OBJECT
public:
    explicit Chip(const QString &text, QWidget *parent = nullptr);
    static Chip *adder(const QString &accessibleName, QWidget *parent = nullptr);

    void setIconName(const QString &name);
    void setDetail(const QString &detail);
    QString detail() const { return m_detail; }
    void setRemovable(bool removable);
    void setError(bool error);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {std::min(sizeHint().width(), 72), sizeHint().height()}; }

Q_SIGNALS:
    void removeRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QRect crossRect() const;
    QString m_iconName;
    QString m_detail;
    bool m_adder = false;
    bool m_removable = false;
    bool m_error = false;
};

} // namespace trainyard
