// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/sweep/sweepdraft.h"

#include <QAbstractTableModel>

namespace trainyard
{

// The jobs of a sweep that is being written: their names and their values.
class SweepModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setJobs(const QString &group, const SweepPreview &preview);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString m_group;
    QStringList m_parameters;
    QList<SweepPoint> m_points;
};

} // namespace trainyard
