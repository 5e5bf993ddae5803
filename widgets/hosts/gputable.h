// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QWidget>

#include <optional>

namespace trainyard
{

// All GPUs now, host by host: use, memory, temperature and what holds each, including programs that are not ours.
class GpuTable : public QWidget
{
    Q_OBJECT
public:
    enum class Which { All, Free, Foreign };
    explicit GpuTable(QWidget *parent = nullptr);
    void setHosts(const QList<HostInfo> &hosts);
    void setWhich(Which which);
    QSize sizeHint() const override;
    int gpuCount() const; // that are shown
    // As it is read: "0, 97 %, 20.1 of 24 GiB, 71 °C, #44 cifar10 worker/0".
    QStringList lines() const;

Q_SIGNALS:
    void jobRequested(qint64 number);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Row {
        HostInfo host; // of a heading
        std::optional<GpuInfo> gpu;
    };
    void rebuild();
    const Row *rowAt(const QPoint &position) const;
    void paintHost(QPainter *painter, const QRect &rect, const HostInfo &host) const;
    void paintGpu(QPainter *painter, const QRect &rect, const GpuInfo &gpu) const;

    QList<HostInfo> m_hosts;
    QList<Row> m_rows;
    Which m_which = Which::All;
};

} // namespace trainyard
