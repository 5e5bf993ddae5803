// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QFrame>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
QT_END_NAMESPACE

namespace trainyard
{

class ElidedLabel;
class KeyCap;

// The line under a faulty line of text: what is wrong, and the fixes as links.
class FixBar : public QFrame
{
    Q_OBJECT
public:
    explicit FixBar(QWidget *parent = nullptr);
    void setDiagnostic(const Diagnostic &diagnostic);

Q_SIGNALS:
    void fixRequested(const trainyard::Fix &fix);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitLinks();
    QHBoxLayout *m_row;
    ElidedLabel *m_text;
    KeyCap *m_key;
    QList<QWidget *> m_links;
    Severity m_severity = Severity::Error;
};

} // namespace trainyard
