// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "widgets/common/tokens.h"
#include "widgets/hosts/siderow.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace trainyard
{

class AddTrouble;
class ClustersPane;
class EmptyState;

// One host of the side: icon, name, its GPUs, how many are taken or what is the matter.
class HostRow : public SideRow
{
    Q_OBJECT
public:
    explicit HostRow(const HostInfo &host, QWidget *parent = nullptr);
    void setHost(const HostInfo &host);
    const HostInfo &host() const { return m_host; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool isDown() const;
    Colour rightColour() const;
    int rightWidth() const;
    HostInfo m_host;
};

// The hosts this user has, this computer first, and the way to add one; below them the clusters.
class HostsPane : public QWidget
{
    Q_OBJECT
public:
    explicit HostsPane(QWidget *parent = nullptr);
    void setHosts(const QList<HostInfo> &hosts);
    void apply(const HostInfo &host);
    void remove(const QString &id);
    QList<HostInfo> hosts() const;
    ClustersPane *clusters() const { return m_clusters; }
    void setAdded(const QString &id); // by its field; its row may come later
    void setLoading(bool on); // which there are is not known yet
    void showAdd(); // opens the field for an address
    // The error of the last address; empty: it worked. `mayBeAdded`: it may be added nevertheless.
    void setAddError(const QString &text, bool mayBeAdded = false);

Q_SIGNALS:
    void addRequested(const QString &target, bool anyway);
    void checkRequested(const QString &id); // connect to it again
    void hostRequested(const QString &id); // all that is known of it
    void removeRequested(const QString &id);

private:
    void add(bool anyway);
    void updateState();
    void activate(const HostRow *row);
    void showMenu(const QString &id, const QPoint &globalPosition);
    void focusAdded();
    QList<HostRow *> m_rows;
    QVBoxLayout *m_list;
    QLabel *m_count;
    EmptyState *m_empty;
    bool m_isLoading = false;
    QWidget *m_addRow;
    QLineEdit *m_address;
    AddTrouble *m_addTrouble;
    ClustersPane *m_clusters;
    QString m_added; // whose row is to have the keyboard
};

} // namespace trainyard
