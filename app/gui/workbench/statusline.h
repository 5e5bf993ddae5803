// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/engineclient.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace trainyard
{

class ElidedLabel;
class Meter;

// The window's bottom line: problems of the document, the engine, this computer's use, and a place for the page.
class StatusLine : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLine(QWidget *parent = nullptr);
    void setProblems(int errors, int warnings);
    void clearProblems(); // the page has none to show
    void setEngine(EngineClient::Status status, int activeJobs, const QString &error);
    void setComputer(const HostInfo &host);
    void setPageText(const QString &text);
    void setTip(const QString &text); // of an action pointed at; covers the page's text

Q_SIGNALS:
    void problemsClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QToolButton *m_problems;
    QWidget *m_dot;
    QLabel *m_engine;
    Meter *m_gpu;
    Meter *m_cpu;
    Meter *m_memory;
    ElidedLabel *m_text;
    QString m_pageText;
};

} // namespace trainyard
