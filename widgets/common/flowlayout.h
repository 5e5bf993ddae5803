// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

namespace trainyard
{

// Puts its items beside each other and wraps, as words in a line.
class FlowLayout : public QLayout
{
    Q_OBJECT
public:
    explicit FlowLayout(int gap = 6, QWidget *parent = nullptr);
    ~FlowLayout() override;
    void addItem(QLayoutItem *item) override;
    int count() const override;
    QLayoutItem *itemAt(int index) const override;
    QLayoutItem *takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    void setGeometry(const QRect &rect) override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;

private:
    int arrange(const QRect &rect, bool apply) const;
    QList<QLayoutItem *> m_items;
    int m_gap;
};

// Takes every widget out of the layout, hides it and deletes it later: it may be what is being handled.
void removeWidgets(QLayout *layout);

} // namespace trainyard
