// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>

namespace trainyard
{

// A comparison as one page of HTML that needs neither network nor other files. All texts are shown literally.
struct CompareReport {
    QString title;
    QStringList remarks; // paragraphs above the table
    QList<QStringList> rows; // the first has the heads
    QList<qsizetype> best; // the rows of the best runs
    struct Picture {
        QString title;
        QByteArray svg; // as a whole file
    };
    QList<Picture> pictures;
};
QByteArray compareHtml(const CompareReport &report);

} // namespace trainyard
