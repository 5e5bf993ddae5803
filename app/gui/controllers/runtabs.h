// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QString>

namespace trainyard
{

class EngineClient;
class GuiSettings;
class HostController;
class Page;
class PageRegistry;
class RunTab;
class Workbench;

// The open runs. Controllers connect to the requests of a run's page when it is opened.
class RunTabs : public QObject
{
    Q_OBJECT
public:
    RunTabs(
        Workbench *workbench, PageRegistry *pages, EngineClient *client, HostController *hosts, GuiSettings *settings);

    RunTab *open(const QString &uuid); // to the front, and to stay
    // To the front in the one tab that the next look takes away, unless something was done with it meanwhile.
    RunTab *look(const QString &uuid);
    void openNumber(qint64 number); // of the job; says so when there is none any more
    RunTab *find(const QString &uuid) const; // null when it is not open
    RunTab *current() const; // in front, or null

Q_SIGNALS:
    void opened(trainyard::RunTab *tab);
    void hostRequested(const QString &id); // that a run names

private:
    void setWrapped(bool on);
    void setHistoryFolded(bool on);
    static void keepWhatIsUsed(RunTab *tab);
    Workbench *m_workbench;
    PageRegistry *m_pages;
    EngineClient *m_client;
    HostController *m_hosts;
    GuiSettings *m_settings;
    QList<RunTab *> m_tabs;
};

} // namespace trainyard
