// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/sweepmodel.h"

namespace trainyard
{

void SweepModel::setJobs(const QString &group, const SweepPreview &preview)
{
    beginResetModel();
    m_group = group;
    m_parameters = preview.parameters;
    m_points = preview.points;
    endResetModel();
}

int SweepModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_points.size()); }

int SweepModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : 1 + int(m_parameters.size());
}

QVariant SweepModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const Value *value = index.column() > 0 ? &m_points.at(index.row()).at(index.column() - 1) : nullptr;
    if (role == Qt::DisplayRole) {
        return value ? value->toText() : sweepJobName(m_group, index.row(), m_points.size());
    }
    if (role == Qt::TextAlignmentRole && value && (value->asInt() || value->asDouble())) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    return {};
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section > m_parameters.size()) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        return section == 0 ? tr("Job") : m_parameters.at(section - 1);
    }
    if (role == Qt::TextAlignmentRole && section > 0 && !m_points.isEmpty()) {
        return data(index(0, section), role);
    }
    return {};
}

} // namespace trainyard
