// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QWidget>

class QVBoxLayout;

namespace trainyard
{

class CodeView;
class FindBar;

// The text of a job as it was run, coloured, to be searched and copied; secrets are masked in it. The view of the text
// is made when it is looked at first: most pages are never asked for it.
class ConfigurationView : public QWidget
{
    Q_OBJECT
public:
    explicit ConfigurationView(QWidget *parent = nullptr);
    void setText(const QByteArray &yaml);
    QWidget *controls() const { return m_controls; } // find, copy; for the row of tabs
    CodeView *code() const { return m_code; } // null before it was shown

protected:
    void showEvent(QShowEvent *event) override;

private:
    void make();
    void makeControls();
    QByteArray m_yaml;
    QWidget *m_controls;
    QVBoxLayout *m_layout;
    CodeView *m_code = nullptr;
    FindBar *m_find = nullptr;
};

} // namespace trainyard
