// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/jobtemplates.h"

#include <QAbstractButton>

#include <climits>

class QPainter;

namespace trainyard
{

// A template as a card: what it looks like, what it does, what it needs. Pressing it opens the template.
class TemplateCard final : public QAbstractButton
{
    Q_OBJECT
public:
    // The number of cards side by side in this much room, and the width of each.
    struct Fit {
        int columns = 1;
        int width = 0;
    };
    static Fit fit(int room, int gap, int mostColumns = INT_MAX);
    static int rowsIn(int room, int gap); // whole ones in so much height

    explicit TemplateCard(const JobTemplate &job, QWidget *parent = nullptr);
    const JobTemplate &job() const { return m_job; }
    void setCardWidth(int width);
    void setOpenedByEnter(bool on); // while words are typed elsewhere; it shows so
    void setColumn(int column) { m_column = column; } // in which it is
    int column() const { return m_column; }

Q_SIGNALS:
    void moveRequested(int columns, int rows); // an arrow key
    void menuRequested(const QPoint &globalPosition);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    QByteArray coloured() const;
    void drawEnterKey(QPainter *painter) const;
    JobTemplate m_job;
    QByteArray m_picture;
    int m_column = 0;
    bool m_openedByEnter = false;
};

} // namespace trainyard
