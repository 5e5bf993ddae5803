// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/tokens.h"

#include <QWidget>

class QPainter;

namespace trainyard
{

// 6 px high, rounded, with the share done; the colour is a state's.
void paintProgress(QPainter *painter, const QRectF &rect, qreal share, const QColor &front, const QPalette &palette);
class ProgressBar : public QWidget
{
    Q_OBJECT
public:
    explicit ProgressBar(QWidget *parent = nullptr);
    void setShare(qreal share); // 0 to 1
    qreal share() const { return m_share; }
    QSize sizeHint() const override { return {88, metrics::progressBar}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    qreal m_share = 0;
};

// A little line of the newest values, 0 to 100; a gap where one is below zero.
void paintSparkline(QPainter *painter, const QRectF &rect, const QList<qreal> &values, const QColor &front);
class Sparkline : public QWidget
{
    Q_OBJECT
public:
    explicit Sparkline(QWidget *parent = nullptr);
    void setValues(const QList<qreal> &values);
    void setBase(bool on); // a line below the whole width, also where there are no values
    QSize sizeHint() const override { return {metrics::sparkWidth, metrics::sparkHeight}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<qreal> m_values;
    bool m_hasBase = false;
};

// One cell per GPU: filled to its use when ours, hatched when another program's, barred when kept from jobs, crossed
// out when it is lost, empty when free.
int gpuCellsWidth(qsizetype count);
void paintGpuCells(QPainter *painter, const QPointF &topLeft, const QList<GpuInfo> &gpus, const QPalette &palette);
class GpuCells : public QWidget
{
    Q_OBJECT
public:
    explicit GpuCells(QWidget *parent = nullptr);
    void setGpus(const QList<GpuInfo> &gpus);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<GpuInfo> m_gpus;
};

// "CPU [==   ] 31 %" of the status line.
class Meter : public QWidget
{
    Q_OBJECT
public:
    explicit Meter(const QString &name, QWidget *parent = nullptr);
    void setValue(qreal share, const QString &text);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    QString m_text;
    qreal m_share = 0;
};

} // namespace trainyard
