// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/clusterfields.h"

#include "widgets/common/style.h"

#include <QGridLayout>
#include <QLineEdit>

namespace trainyard
{

QLineEdit *clusterField(const char *name, const QString &accessibleName, const QString &text)
{
    auto *field = new QLineEdit(text);
    field->setObjectName(QLatin1StringView(name));
    field->setAccessibleName(accessibleName);
    return field;
}

ColourLabel *clusterFieldError(const char *name)
{
    auto *label = new ColourLabel({}, Colour::Failed);
    label->setObjectName(QLatin1StringView(name));
    label->setFont(fonts::small());
    label->setWordWrap(true);
    label->hide();
    return label;
}

void sayBeside(QLineEdit *field, QLabel *label, const QString &error)
{
    setFieldError(field, !error.isEmpty());
    field->setAccessibleDescription(error);
    label->setText(error);
    label->setVisible(!error.isEmpty());
}

QGridLayout *clusterGrid(QWidget *fields)
{
    auto *grid = new QGridLayout(fields);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(metrics::labelGap);
    grid->setVerticalSpacing(metrics::space1);
    grid->setColumnMinimumWidth(0, metrics::labelColumn);
    grid->setColumnStretch(1, 1);
    return grid;
}

void addToClusterGrid(QGridLayout *grid, const QString &caption, QWidget *field, const QList<QWidget *> &below)
{
    int row = grid->count() == 0 ? 0 : grid->rowCount();
    QLabel *label = mutedLabel(caption);
    label->setMinimumHeight(metrics::field);
    grid->addWidget(label, row, 0, Qt::AlignRight | Qt::AlignTop);
    grid->addWidget(field, row++, 1);
    for (QWidget *each : below) {
        grid->addWidget(each, row++, 1);
    }
    grid->setRowMinimumHeight(row, metrics::space1);
}

} // namespace trainyard
